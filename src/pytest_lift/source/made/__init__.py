"""What calls in a source make: classes, objects of private ones, functions."""
