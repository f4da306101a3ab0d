"""Boards and pieces as SVG, laid out here: it needs neither a stylesheet nor a browser."""
