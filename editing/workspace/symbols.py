"""What was found out about the places of a game, kept from look to look: a look notes only what it has looked at.

Kept with the places of the declarations as they were when they were written last, as what is looked at later is
compared with these. Does not find out anything.
"""

from __future__ import annotations

from collections.abc import Mapping, Set
from contextlib import suppress

from attrs import evolve, field, frozen

from rulewright.dsl.diagnostics.source import Source, Span
from rulewright.dsl.loading.earlier import Lost, Places
from rulewright.dsl.model.facts import Facts, Referent


@frozen
class Known:
    """What names refer to and what types expressions have, by the texts they stand in."""

    by_source: Mapping[Source, Facts] = field(factory=dict)

    def still(self, texts: Set[Source], places: Places) -> Known:
        """What of it stands in texts as they are now, or in what was taken over into these."""
        found = dict[Source, Facts]()
        for source, facts in self.by_source.items():
            if source in places.ends:
                found[source] = _kept(facts, places)
            elif source in texts:
                found[source] = facts
        return Known(found)

    def with_(self, noted: Facts) -> Known:
        """The same with what was noted since; that counts."""
        found = dict(self.by_source)
        for source, facts in _by_source(noted).items():
            known = found.get(source, Facts())
            found[source] = Facts(
                {**known.referents, **facts.referents, **_of_locals(known, facts)},
                {**known.types, **facts.types},
            )
        return Known(found)

    def now(self, places: Places) -> Facts:
        """All of it, with the places that it has now."""
        found = Facts()
        for source, facts in self.by_source.items():
            if source in places.ends:
                there = moved(facts, places)
                found.referents.update(there.referents)
                found.types.update(there.types)
            else:
                for span, known in facts.referents.items():
                    found.referents[span] = _declared_now(known, places)
                found.types.update(facts.types)
        return found


def moved(facts: Facts, places: Places) -> Facts:
    """Facts with the places that they have now, without those that are gone."""
    found = Facts()
    for span, known in facts.referents.items():
        with suppress(Lost):
            found.referents[places.span(span)] = _declared_now(known, places)
    for span, type in facts.types.items():
        with suppress(Lost):
            found.types[places.span(span)] = type
    return found


def _declared_now(known: Referent, places: Places) -> Referent:
    """What a name refers to, with the place that this has now; where that was written otherwise, as it was."""
    if known.declared is None or known.declared.source not in places.ends:
        return known
    try:
        return evolve(known, declared=places.span(known.declared))
    except Lost:
        return known


def _of_locals(known: Facts, noted: Facts) -> dict[Span, Referent]:
    """What names were known to be that stand as they stood, and are local names still.

    Where they come from may have been told then by who was not looked at now."""
    return {
        span: known.referents[span]
        for span, one in noted.referents.items()
        if one.sort == "local"
        and span in known.referents
        and known.referents[span].sort == "local"
        and known.referents[span].declared is not None
    }


def _kept(facts: Facts, places: Places) -> Facts:
    """Those of some facts the places of which are still there, as they were."""
    return Facts(
        {span: one for span, one in facts.referents.items() if places.has(span)},
        {span: one for span, one in facts.types.items() if places.has(span)},
    )


def _by_source(facts: Facts) -> dict[Source, Facts]:
    found = dict[Source, Facts]()
    for span, referent in facts.referents.items():
        found.setdefault(span.source, Facts()).referents[span] = referent
    for span, type in facts.types.items():
        found.setdefault(span.source, Facts()).types[span] = type
    return found
