"""Statements that change something or go on to others, and what happens by itself behind them."""
