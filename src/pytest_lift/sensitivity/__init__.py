"""What each test can notice: the program replaced by stubs while the test runs."""
