"""What holds for every test: the hypothesis profiles, and no coverage where it costs most."""

import pytest
from hypothesis import settings

settings.register_profile("fast", derandomize=True, deadline=None, max_examples=50, database=None)
settings.register_profile("deep", deadline=None, max_examples=2000, print_blob=True)
settings.load_profile("fast")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.get_closest_marker("slow") or item.get_closest_marker("deep"):
            item.add_marker("no_cover")
