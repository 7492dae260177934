"""A `Report` as HTML, JSON, Markdown, CSV and needs.json."""
