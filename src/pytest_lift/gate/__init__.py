"""What an agent's edit must satisfy before it counts; `gating.py` asks every rule in turn."""
