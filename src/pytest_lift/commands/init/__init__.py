"""`pytest-lift init`: drafts of requirements and settings for a project that has none yet."""
