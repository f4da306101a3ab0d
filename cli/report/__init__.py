"""A report of many plays as one file, which opens in a browser without a network and can be printed."""
