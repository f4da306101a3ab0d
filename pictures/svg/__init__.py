"""Boards and pieces as SVG with a complete layout, which needs neither a stylesheet nor a browser."""
