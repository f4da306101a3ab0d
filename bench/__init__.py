"""Speed and size, measured as ratios in one run if there is something to compare with.

Each part gives rows of plain values; `bench.__main__` shows them. It does not judge: the target is shown beside the
result.
"""
