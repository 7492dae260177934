"""`pytest-lift review`: accepts or refuses the tests of a run one by one."""
