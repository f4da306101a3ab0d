"""From the checked program to the core IR; knows nothing of how the IR is run."""
