"""Facts about the places of a game, kept from check to check: a check records only the parts that it has
lowered.

The places refer to the text in which a declaration was last written, because later checks compare with this
text. No facts are found here.
"""

from __future__ import annotations

from collections.abc import Mapping, Set

from attrs import field, frozen

from rulewright.dsl.diagnostics.source import Source, Span
from rulewright.dsl.immutable import evolve
from rulewright.dsl.loading.reuse import Places
from rulewright.dsl.model.facts import Facts, Referent


@frozen
class Known:
    """The meaning of names and the types of expressions, by the texts that contain them."""

    by_source: Mapping[Source, Facts] = field(factory=dict)

    def still(self, texts: Set[Source], places: Places) -> Known:
        """Return the facts about current texts, and about older texts whose places can be mapped to current
        places.
        """
        found = dict[Source, Facts]()
        for source, facts in self.by_source.items():
            if source in places.ends:
                found[source] = _remaining_facts(facts, places)
            elif source in texts:
                found[source] = facts
        return Known(found)

    def with_(self, memo: Facts) -> Known:
        """Return these facts together with newer facts, which take precedence."""
        found = dict(self.by_source)
        for source, facts in _by_source(memo).items():
            known = found.get(source, Facts())
            found[source] = Facts(
                {**known.referents, **facts.referents, **_of_locals(known, facts)},
                {**known.types, **facts.types},
            )
        return Known(found)

    def now(self, places: Places) -> Facts:
        """Return all facts, at their current places."""
        found = Facts()
        for source, facts in self.by_source.items():
            if source in places.ends:
                there = move_facts(facts, places)
                found.referents.update(there.referents)
                found.types.update(there.types)
            else:
                for span, known in facts.referents.items():
                    found.referents[span] = _declared_now(known, places)
                found.types.update(facts.types)
        return found


def move_facts(facts: Facts, places: Places) -> Facts:
    """Return facts at their current places, without those whose places no longer exist."""
    found = Facts()
    for span, known in facts.referents.items():
        now = places.find(span)
        if now is not None:
            found.referents[now] = _declared_now(known, places)
    for span, type in facts.types.items():
        now = places.find(span)
        if now is not None:
            found.types[now] = type
    return found


def _declared_now(known: Referent, places: Places) -> Referent:
    """Return the meaning of a name with the current place of its declaration, or with the old place if that
    has changed.
    """
    if known.declared is None or known.declared.source not in places.ends:
        return known
    now = places.find(known.declared)
    return known if now is None else evolve(known, declared=now)


def _of_locals(known: Facts, memo: Facts) -> dict[Span, Referent]:
    """Return the earlier meaning of unchanged names that are still local names.

    The origin of such a name may be known from a part that was not checked this time.
    """
    return {
        span: known.referents[span]
        for span, one in memo.referents.items()
        if one.kind == "local"
        and span in known.referents
        and known.referents[span].kind == "local"
        and known.referents[span].declared is not None
    }


def _remaining_facts(facts: Facts, places: Places) -> Facts:
    """Return the facts whose places still exist, unchanged."""
    return Facts(
        {span: one for span, one in facts.referents.items() if places.find(span) is not None},
        {span: one for span, one in facts.types.items() if places.find(span) is not None},
    )


def _by_source(facts: Facts) -> dict[Source, Facts]:
    found = dict[Source, Facts]()
    for span, referent in facts.referents.items():
        found.setdefault(span.source, Facts()).referents[span] = referent
    for span, type in facts.types.items():
        found.setdefault(span.source, Facts()).types[span] = type
    return found
