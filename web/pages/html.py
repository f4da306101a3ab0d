"""HTML built from parts, with the functions that also build pictures: every value that is not `Html` is
escaped.
"""

from __future__ import annotations

from rulewright.pictures.markup import Markup as Html
from rulewright.pictures.markup import Part, tag
from rulewright.pictures.markup import inner as joined

__all__ = ["Html", "Part", "joined", "tag"]
