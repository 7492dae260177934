"""How strong a suite is: what each test can notice and at which level, which tests add something,
and which depend on others."""
