"""Tools described and called in plain text, for endpoints that cannot call any."""
