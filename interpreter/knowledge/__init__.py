"""What a player may know beyond what is seen: guessed positions, told choices, reasons of values."""
