"""Speed and size, measured as ratios in one run wherever there is something to compare with.

Each part gives rows of plain values; `bench.__main__` shows them. Does not judge: what is aimed at
stands beside what was found.
"""
