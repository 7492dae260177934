"""What requirement texts state, tried on the program: examples and expectations."""
