"""The parts of the HTML report as values: what its templates print."""
