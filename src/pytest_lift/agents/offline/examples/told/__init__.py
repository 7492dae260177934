"""Stories: blocks of code in documents that become tests, as far as they can be told."""
