"""Sources of arguments: pools of values, what names and uses tell of them, variations."""
