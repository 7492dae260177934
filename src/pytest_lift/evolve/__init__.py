"""The loop: generate, screen, accept, publish, feed back, until there is a reason to end."""
