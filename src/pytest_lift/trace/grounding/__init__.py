"""Which symbols of the program a requirement is about: by names, by words, by what runs."""
