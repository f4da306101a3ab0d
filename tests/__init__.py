"""The tests: folders mirror the packages; `properties/` holds laws, `games/` published numbers."""
