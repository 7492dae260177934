"""Values for particular places: functions, packed numbers, several of a kind, usual names."""
