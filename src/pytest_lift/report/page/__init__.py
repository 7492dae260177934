"""Parts of the HTML report as values, which its templates print."""
