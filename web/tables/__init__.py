"""A table: the events of its life, and where they have led. It knows neither storage nor HTTP."""
