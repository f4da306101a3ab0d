"""The specification, one page a topic, so that editors can show it; holds no code."""
