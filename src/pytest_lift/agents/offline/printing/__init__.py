"""Tests as text: functions with their imports, fixtures, whole files."""
