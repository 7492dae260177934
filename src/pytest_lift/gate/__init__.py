"""Rules that an agent's edit must satisfy before it counts; `gating.py` applies each of them."""
