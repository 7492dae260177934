"""Examples and expectations from requirement texts, tried on the program."""
