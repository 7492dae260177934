"""Where code that the user did not write is run: today a bounded child process, no jail yet."""
