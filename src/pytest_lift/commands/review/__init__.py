"""`pytest-lift review`: the tests of a run, accepted or refused one by one."""
