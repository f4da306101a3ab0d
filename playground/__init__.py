"""Games without a server: the worker that runs in the browser, and the static files of the page."""
