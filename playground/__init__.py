"""Games without a server: the worker that a page runs in the browser, and the static files around it."""
