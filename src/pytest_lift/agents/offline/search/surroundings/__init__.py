"""What calls need around them: folders, files, input, time and connections."""
