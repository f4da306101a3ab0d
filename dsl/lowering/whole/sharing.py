"""Finds parts that variants of a game share, and that need not be lowered again because all their inputs are equal.

Parts are compared by the words in them. A part is unchanged in another variant if its text is the
same after folding. The same must hold for everything that its words may mean, for the bodies that
its steps run, and for its use by callers. A word means everything with that name, so every answer
is conservative.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Set
from functools import partial
from itertools import zip_longest

from attrs import define, field

from rulewright.dsl.immutable import evolve, frozen
from rulewright.dsl.lowering.analysis.analysis import Analysis
from rulewright.dsl.lowering.analysis.bodies import PLACE_WORDS
from rulewright.dsl.lowering.analysis.effects import SEAT_WORDS
from rulewright.dsl.lowering.analysis.kind_names import SCORE_WORDS
from rulewright.dsl.lowering.analysis.written import Written
from rulewright.dsl.lowering.whole.folding import Settled
from rulewright.dsl.lowering.whole.parts import (
    STORED,
    HowMany,
    Part,
    Variant,
    Words,
    call_facts,
    callees_of,
    declaration_key,
    depends_on_steps,
    exposes_definition,
    has_start,
    head_of,
    is_zone,
    names_of,
    permissions_in,
    reach_facts,
    words_but_start,
    words_of,
    written_of,
)
from rulewright.dsl.lowering.whole.program import Infos, prepare
from rulewright.dsl.lowering.whole.thing_diff import ThingDiff, changed_things, stored_in
from rulewright.dsl.model.facts import Facts
from rulewright.dsl.model.model import Model
from rulewright.dsl.model.rule_context import shape_of, whole_shape_of
from rulewright.dsl.model.table_cache import TableInputs
from rulewright.dsl.tree import declared, syntax
from rulewright.dsl.tree.memo import Recent, recent
from rulewright.dsl.tree.nesting import call_name

_NUMBERED = (
    declared.Effect,
    declared.OnAction,
    declared.OnMove,
    declared.Rule,
    declared.Value,
    declared.Whenever,
)
"""The declarations whose numbers only the check for secrets reads."""
MOST_COMPARED = 2
"""The number of variants to compare: the same variant before an edit, and variants with similar options."""


@frozen
class _Comparison:
    """A comparison of a variant with another variant, `old`.

    `parts` contains the parts that differ. Of these, the parts in `lowered` must be lowered, and
    the parts in `reporting` differ in more than the contents of columns. `held` contains values
    whose type and parameters are assumed to be the same in both variants.
    """

    old: Variant
    parts: frozenset[str]
    lowered: frozenset[str]
    reporting: frozenset[str]
    held: frozenset[str]
    is_stored_alike: bool
    """Whether everything on which states and zones depend is equal. If so, their layout has the same problems."""
    is_renumbered: bool
    """Whether only numbers and shown words of bodies and values differ."""
    is_alike: bool
    """Whether `is_renumbered` holds, the parts touch no secret, and the types of the values are the same."""


@frozen
class Difference:
    """The difference between a variant and all comparable variants.

    `parts` contains the parts that differ, either themselves or through their calls. Of these, only
    the parts in `lowered` must be lowered, because the others depend on few facts about their
    callees. Variants with errors in other parts are compared only in these parts. `known` contains
    the infos of the values that need not be lowered. `asked` maps each of the other parts to the
    kinds whose number of things affects the part. For each compared variant, `similar` pairs the
    facts about secrets with the parts whose differences go beyond the contents of columns. Parts
    that call such parts also count as differing in more than the contents of columns.
    """

    parts: frozenset[str]
    lowered: frozenset[str]
    known: Mapping[str, Infos]
    asked: HowMany
    wrong: frozenset[str]
    """The parts that are equal to parts with errors of another variant."""
    is_wrong: bool
    """Whether there are parts in `wrong`, or errors before anything is lowered."""
    similar: tuple[tuple[Mapping[object, object], frozenset[str]], ...]
    is_stored_alike: bool
    """Whether the layout is equal to the layout of one of the other variants. If so, it has no problems."""
    is_renumbered: bool
    """Whether an edit changed only numbers and shown words. If so, checks that only follow names
    give the same results.
    """
    alike: Variant | None
    """A variant in which the check for secrets gives the same results: an equal one, or the variant
    before an edit of only numbers and words.
    """
    held: tuple[tuple[Mapping[str, Infos], frozenset[str]], ...]
    """For each other variant, the infos of its values, and the values that are assumed to have the
    same type in this variant.

    The values in the second group contain different numbers, or read columns with different
    contents. Parts that mention only such values need not be lowered.
    """

    def changed_types(self, infos: Mapping[str, Infos]) -> frozenset[str]:
        """Return the values whose type or parameters differ, although they were assumed to be the same."""
        return frozenset(
            key
            for were, keys in self.held
            for key in keys
            if not _have_same_types(were.get(key, ()), infos.get(key, ()))
        )


@frozen
class ChangedParts:
    """The `parts` that an edit has changed in a variant.

    `known` contains the infos of the values before the edit.
    """

    analysis: Analysis
    parts: frozenset[str]
    written: tuple[object, ...]
    known: Mapping[str, Infos]


@define
class Common:
    """The variants of a game that have been checked, for comparison with other variants."""

    settled: Settled = field(factory=Settled)
    """The nodes that are equal in all variants."""
    written: Written = field(factory=Written)
    table_inputs: TableInputs = field(factory=TableInputs)
    """Cached results for records."""
    _right: list[Variant] = field(factory=list)
    _before: list[Variant] = field(factory=list, alias="before")
    """The variants without errors at the last check, before the game was edited."""
    _wrong: list[Variant] = field(factory=list)
    """The variants with errors in this check."""
    _wrong_before: list[Analysis] = field(factory=list, alias="wrong_before")
    """The analyses of variants with errors at the last check, before the game was edited."""
    _known_parts: Recent[tuple[object, ...], Part] = field(factory=recent, alias="known_parts")
    """Parts, keyed by their own key, their names and the `id` of each of their nodes."""
    _users: dict[str, set[str]] = field(factory=dict, alias="users")
    """Maps each word to the keys of the parts that contain it, or that contained it before an edit."""
    _compared: Variant | None = None

    def has_right(self, players: int) -> bool:
        """Return whether any variant with this number of players has no errors."""
        return any(one.model.config.players == players for one in self._comparable())

    def after_edit(self) -> Common | None:
        """Return the data to keep for the check after an edit; None if every variant had errors."""
        if not self._right:
            return None
        latest = [one.model for one in self._right]
        older = [
            one
            for one in self._before
            if not any(_is_same_variant(one.model, model) for model in latest)
        ]
        return Common(
            self.settled,
            self.written,
            self.table_inputs,
            before=[*self._right, *older],
            wrong_before=self._analysed_with_errors(),
            known_parts=self._known_parts,
            users=self._users,
        )

    def _analysed_with_errors(self) -> list[Analysis]:
        """For each variant that had errors and has not been correct since, return the last analysis."""
        found = [one.analysis for one in self._wrong]
        known = [one.model for one in (*self._right, *self._wrong)]
        return found + [
            one
            for one in self._wrong_before
            if not any(_is_same_variant(one.model, each) for each in known)
        ]

    def end(self, *, is_whole: bool) -> None:
        """End a check of all variants.

        If errors ended the check early (`is_whole` is false), also keep nodes that the check did
        not use.
        """
        self.settled.end()
        self.table_inputs.end()
        self._known_parts.end()
        if is_whole:
            self.written.end()

    def drop_wrong(self) -> None:
        """Release data of the check before the edit, except the data that comparisons need."""
        self._wrong_before = self._analysed_with_errors()
        self._wrong.clear()
        self.table_inputs.drop_wrong()
        right = (one.model for one in self._before)
        for model in (*right, *(one.model for one in self._wrong_before)):
            model.read, model.tables_beside = _do_nothing, tuple
            model.facts = Facts()

    def options_read(self, players: int) -> set[str]:
        """Return the options on which the comparable variants with this number of players depend."""
        looked_at = [*self._comparable(), *self._wrong]
        models = [one.model for one in looked_at if one.model.config.players == players]
        return {name for model in models for name in model.used_options}

    def _comparable(self) -> list[Variant]:
        return [*self._right, *self._before]

    def analysis_of(self, model: Model) -> Analysis:
        """Return the analysis of a variant's rules, for use by lowering."""
        before = next(
            (one.analysis for one in self._before if _is_same_variant(one.model, model)), None
        )
        wrong = next(
            (one for one in self._wrong_before if _is_same_variant(one.model, model)), None
        )
        return prepare(model, self.settled, self.written, before, wrong)

    def changed_parts(self, model: Model) -> ChangedParts | None:
        """Return the parts that an edit has changed in a variant; None if the variant had errors before the edit."""
        before = next((one for one in self._before if _is_same_variant(one.model, model)), None)
        if before is None:
            return None
        a = prepare(model, self.settled, self.written, before.analysis)
        parts = self._parts(model, a)
        new = {
            key: part
            for key, part in parts.items()
            if key not in before.parts or before.parts[key].written != part.written
        }
        written = tuple(node for part in new.values() for node in part.written)
        return ChangedParts(a, frozenset(new), written, before.infos)

    def keep(
        self,
        model: Model,
        a: Analysis,
        infos: Mapping[str, Infos],
        asked: HowMany,
        safe: Mapping[object, object],
        touching: Set[str],
    ) -> None:
        """Store a variant without errors, with the `infos` of its values and the kinds whose things
        are counted by parts (`asked`).
        """
        variant = self._variant(model, a)
        self._right.append(
            evolve(variant, infos=infos, asked=asked, safe=safe, touching=frozenset(touching))
        )

    def keep_wrong(
        self,
        model: Model,
        a: Analysis,
        infos: Mapping[str, Infos],
        asked: HowMany,
        wrong: Set[str],
    ) -> None:
        """Store a variant that has errors in the parts `wrong`, and perhaps in other parts."""
        variant, wrong = self._variant(model, a), wrong & self._variant(model, a).parts.keys()
        self._wrong.append(evolve(variant, infos=infos, asked=asked, wrong=wrong))

    def has_wrong(self, players: int) -> bool:
        """Return whether any variant with this number of players has errors."""
        return any(one.model.config.players == players for one in self._wrong)

    def difference(
        self, model: Model, a: Analysis, other: Set[str] = frozenset()
    ) -> Difference | None:
        """Return the difference between a variant and each of the most similar variants that were checked.

        The values in `other` are known to differ. Return None if the difference cannot show all
        errors. This happens if there is no variant to compare, or if all such variants have other
        errors.
        """
        new = self._variant(model, a)
        self._compared = new
        # A comparison with the variant before the edit finds unchanged parts; other comparisons
        # find shared parts.
        wrong = self._compare_nearest(self._wrong, new, other, 1)
        right = self._compare_nearest(self._before, new, other, 1)
        left = MOST_COMPARED - len(wrong) - len(right)
        if not right or (left and right[0].parts):
            right += self._compare_nearest(self._right, new, other, max(left, 1))
        beside = [*wrong, *right]
        wrong_before = frozenset(key for each in wrong for key in each.old.wrong - each.lowered)
        is_wrong = bool(wrong_before) or (bool(wrong) and model.problems.has_errors)
        if not (right or is_wrong):
            return None
        infos: dict[str, Infos] = {}
        asked: dict[str, Set[str]] = {}
        for each in beside:
            for key, kinds in each.old.asked.items():
                if key not in each.lowered:
                    asked.setdefault(key, kinds)
            for key, info in each.old.infos.items():
                if key not in each.lowered:
                    infos.setdefault(key, info)
        lowered = frozenset.intersection(*(each.lowered for each in beside))
        for key in _invariant_inputs(new, lowered):
            infos.pop(key, None)
        return Difference(
            _intersection(each.parts for each in right),
            lowered,
            infos,
            asked,
            wrong_before,
            is_wrong,
            tuple((each.old.safe, each.reporting) for each in right),
            any(each.is_stored_alike for each in right),
            bool(right) and right[0].is_renumbered,
            next((each.old for each in right if each.is_alike or not each.parts), None),
            tuple((each.old.infos, each.held) for each in beside if each.held),
        )

    def _compare_nearest(
        self, known: list[Variant], new: Variant, other: Set[str], most: int
    ) -> list[_Comparison]:
        """Compare a new variant with up to `most` comparable variants in `known`, beginning with
        those that share most options.
        """
        chosen = new.model.option_chosen.items()
        found: list[_Comparison] = []
        for one in sorted(known, key=lambda one: len(chosen - one.model.option_chosen.items())):
            things = changed_things(one.model, new.model, one.infos, self.words)
            if things is None:
                continue
            found.append(self._compare(one, new, things, other))
            if len(found) == most or not found[-1].parts:
                break
        return found

    def _compare(
        self, old: Variant, new: Variant, things: ThingDiff, other: Set[str]
    ) -> _Comparison:
        """Compare a variant with another variant."""
        columns = things.columns | things.numbered
        keys, roots, names, held = self._differing_parts(old, new, things.names, columns, other)
        held |= self._opaque_values(old, new, keys - roots - other)
        started, reporting = _with_changed_start(old, new, roots), keys
        if columns:
            keys, reading, starting = self._column_readers(new, keys, columns, other)
            held |= reading
            started |= starting
            if not new.model.has_cells(old.model.used_cells):
                reporting = keys  # these parts decide which steps can fail
        roots |= {key for key in keys if not things.asked.isdisjoint(old.asked.get(key, ()))}
        lowered = self._parts_to_lower(
            old, new, keys, roots, names | things.columns, held | started
        )
        is_renumbered = things.is_nothing and self._differ_in_numbers(old, new, roots)
        is_alike = is_renumbered and not other
        is_alike &= old.touching.isdisjoint(roots) and roots <= held | new.analysis.bodies.keys()
        is_stored = not columns and not any(key.startswith("stored ") for key in keys)
        return _Comparison(old, keys, lowered, reporting, held, is_stored, is_renumbered, is_alike)

    def _differ_in_numbers(self, old: Variant, new: Variant, keys: Set[str]) -> bool:
        """Return whether an edit changed only numbers and shown words in these parts.

        In addition, the same steps must be able to fail, and the same arms of choices must always
        be available.
        """
        of = partial(self.written.of, whole_shape_of)
        return (
            new.analysis.is_like_before
            and _is_same_variant(old.model, new.model)
            and not _changed_names(old, new)
            and keys <= old.parts.keys() & new.parts.keys()
            and all(
                was is now or (isinstance(now, _NUMBERED) and of(was) == of(now))
                for key in keys
                for was, now in zip_longest(old.parts[key].written, new.parts[key].written)
            )
            and _offer_equally(old.analysis, new.analysis, keys & new.analysis.bodies.keys())
        )

    def similar_secrets(
        self, model: Model, a: Analysis
    ) -> tuple[Mapping[object, object], Set[str]] | None:
        """Return the facts about secrets in a similar variant with another number of players, and the
        parts that differ.

        The result is None if no variant can be compared.
        """
        new = self._variant(model, a)
        chosen = model.option_chosen.items()
        known = [one for one in reversed(self._right) if one.safe]
        for one in sorted(known, key=lambda one: len(chosen - one.model.option_chosen.items())):
            things = changed_things(one.model, model, one.infos, self.words, any_number=True)
            if things is None or _solo_flags(one.model) != _solo_flags(model):
                continue
            columns = things.columns | things.numbered
            unlike, _, _, _ = self._differing_parts(one, new, things.names, columns, frozenset())
            if _fail_equally(one.analysis, a, a.bodies.keys() - unlike):
                return one.safe, unlike
        return None

    # ---- parts --------------------------------------------------------------------------------------

    def _variant(self, model: Model, a: Analysis) -> Variant:
        known = self._compared
        if known is not None and known.analysis is a:
            return known
        opened = permissions_in(a)
        calls = {key: callees_of(a, key, opened) for key in a.bodies}
        uses = {key: (reach_facts(body), opened.get(key)) for key, body in a.bodies.items()}
        effects = {
            key: (call_facts(body), a.direct_effects(key), a.lacking_me(key))
            for key, body in a.bodies.items()
        }
        overrides = {
            call_name(change.value)
            for body in a.bodies.values()
            for do in body.of(syntax.Do)
            for change in do.changes
        }
        callers: dict[str, set[str]] = {}
        for key, called in calls.items():
            for other in called:
                callers.setdefault(other, set()).add(key)
        parts = self._parts(model, a)
        return Variant(model, a, parts, opened, calls, callers, uses, effects, overrides)

    def written_in(self, parts: Iterable[str]) -> Iterator[object]:
        """Yield the nodes of the given parts of the variant that was compared last."""
        if self._compared is not None:
            for key in parts:
                if key in self._compared.parts:
                    yield from self._compared.parts[key].written

    def _parts(self, model: Model, a: Analysis) -> dict[str, Part]:
        parts: dict[str, Part] = {}

        def add(key: str, written: Iterable[object], names: Iterable[str] = ()) -> None:
            parts[key] = self._part(key, tuple(written), tuple(names))

        changes: dict[str, list[object]] = {}
        for power in model.powers:
            for line in power.lines:
                if isinstance(line, declared.Modify):
                    changes.setdefault(call_name(line.value), []).extend((line, *head_of(power)))
        for name, lines in changes.items():
            if name not in model.values and name not in model.subject_values:
                add(f"changes {name}", lines)
        for name, value in model.values.items():
            add(f"value {name}", (value, *changes.get(name, ())), (name,))
        for name, values in model.subject_values.items():
            add(f"values {name}", (*values, *changes.get(name, ())), (name,))
        for body in a.bodies.values():
            add(body.key, written_of(a, body), names_of(body))
        seen_names = Counter[str]()
        for one in stored_in(model):
            add(f"stored {one.name} {seen_names[one.name]}", (one,), (one.name,))
            seen_names[one.name] += 1
        add("score", model.scores, (f".{word}" for word in SCORE_WORDS))
        add("winner", model.winners, ("winners",))
        for n, invariant in enumerate(model.invariants):
            add(f"invariant {n}", (invariant,))
        add("boards", model.boards)
        add("settings", (one for name, one in model.settings.items() if name != "never"))
        for n, (anytime, holder) in enumerate(a.anytimes):
            key, action = f"anytime {n}", f"do {anytime.action}"
            looked_at = self._part(key, (anytime.where, *head_of(holder)), ())
            self._users.setdefault(action, set()).add(key)
            written = (anytime, *looked_at.written)
            parts[key] = Part(written, looked_at.words | {action}, frozenset())
        return parts

    def _part(self, key: str, written: tuple[object, ...], names: tuple[str, ...]) -> Part:
        known_as = key, names, *map(id, written)
        part = self._known_parts.get(known_as)
        if part is None:
            words: Words = frozenset().union(*map(self.words, written))
            part = self._known_parts.put(known_as, Part(written, words, frozenset(names)))
            for word in words:
                self._users.setdefault(word, set()).add(key)
        return part

    def words(self, node: object) -> Words:
        """Return all names in a node."""
        return self.written.of(words_of, node)

    # ---- differences --------------------------------------------------------------------------------

    def _differing_parts(
        self,
        old: Variant,
        new: Variant,
        named: Set[str],
        columns: Set[str],
        other: Set[str],
    ) -> tuple[frozenset[str], frozenset[str], frozenset[str], frozenset[str]]:
        """Return the parts that differ between two variants, or that depend on something that differs.

        Also return the parts that themselves differ, the names with different meanings, and the
        values whose type and parameters are assumed to be the same. The names in `named` certainly
        have a different meaning. The contents of the columns in `columns` differ. Of the parts that read these
        columns, only values known before the game starts are included here.
        """
        names = _changed_names(old, new) | named
        fixed = self._constants_on(new.model, names | columns)
        names |= {
            name for name in fixed if _is_known(old.model, name) or _is_known(new.model, name)
        }
        unlike = set(old.parts.keys() ^ new.parts.keys())
        for key, part in new.parts.items():
            was = old.parts.get(key, part)
            if was is not part and was.written != part.written:
                unlike.add(key)
        roots = frozenset(unlike)
        like = self._like_values(old, new, roots - other)
        started = _with_changed_start(old, new, roots)
        if any(is_zone(one, key) for key in roots - started for one in (old, new)):
            names |= {
                f".{word}" for word in PLACE_WORDS
            }  # the possible places of a thing depend on all zones
        others = frozenset(names)
        for key in unlike - like - started:
            for one in (old, new):
                if key in one.parts:
                    names |= one.parts[key].names
        if any(is_zone(one, key) for key in unlike - started for one in (old, new)):
            names |= {
                f".{word}" for word in PLACE_WORDS
            }  # the possible places of a thing depend on all zones
        kept = like | started
        unlike |= _dependent_invariants(
            new, {name for key in kept for name in new.parts[key].names}
        )
        self._add_dependents(new, unlike, names)
        done = _with_changed_effects(old, new)
        return frozenset(unlike | done), roots | done, others, like

    def _add_dependents(self, variant: Variant, keys: set[str], names: Set[str]) -> None:
        """Add all parts that directly or indirectly call one of the given parts, or mention one of the names.

        The names of a part that is added count, too.
        """
        parts, callers, users, none = variant.parts, variant.callers, self._users, frozenset[str]()
        left, met, left_names = [*keys], {*names}, [*names]
        while left or left_names:
            name = left_names.pop() if left_names else None
            found = users.get(name, none) if name is not None else callers.get(left.pop(), none)
            for key in found - keys:
                part = parts.get(key)
                if part is not None and (name is None or name in part.words):
                    keys.add(key)
                    left.append(key)
                    left_names += part.names - met
                    met |= part.names

    def _parts_to_lower(
        self,
        old: Variant,
        new: Variant,
        unlike: Set[str],
        roots: Set[str],
        names: Set[str],
        held: Set[str],
    ) -> frozenset[str]:
        """Return the differing parts that may have errors that the other variant does not have.

        A caller depends on the head of a body, on whether the body can fail or ask a player, and on
        the names that the body changes. The steps of the body do not matter otherwise, because
        their errors are reported in the body itself. The parts in `roots` themselves differ, and
        the names in `names` have different meanings. Parts do not depend on how values in `held`
        differ, nor on the initial values of states. Invariants are an exception, because they are
        evaluated.
        """
        found = {key for key in unlike if key in roots or not self._reads_only_heads(new, key)}
        left = {key: new.parts[key] for key in unlike - found}
        words, size = {*names}, 0
        while size < len(found) + len(words):
            size = len(found) + len(words)
            inside = {key for key in found - held if not self._is_outside(old, new, key, words)}
            parts = (one.parts[key] for key in inside for one in (old, new) if key in one.parts)
            words.update(*(part.names for part in parts))
            for key, part in [*left.items()]:
                called = new.calls.get(key, frozenset())
                if not (words.isdisjoint(part.words) and inside.isdisjoint(called)):
                    found.add(key)
                    del left[key]
        return frozenset(found)

    def _reads_only_heads(self, variant: Variant, key: str) -> bool:
        """Return whether a part depends on the definitions that it mentions or calls only as
        wholes, never on single steps in them.
        """
        if key.startswith("invariant ") or variant.open.get(key):
            return False
        part = variant.parts.get(key)
        return part is not None and not any(
            self.written.of(depends_on_steps, node) for node in part.written
        )

    def _like_values(self, old: Variant, new: Variant, keys: Set[str]) -> frozenset[str]:
        """Return the values that differ only in numbers and are not known before the game starts.

        Other parts depend only on the types and parameters of these values, which are assumed to be
        the same.
        """
        of, found = partial(self.written.of, shape_of), set[str]()
        for key in keys:
            was, part = old.parts.get(key), new.parts.get(key)
            word, _, name = key.partition(" ")
            if was is None or part is None or word not in ("value", "values"):
                continue
            if word == "value" and any(
                name in one.model.fixed_values or name in one.model.positions for one in (old, new)
            ):
                continue
            if [*map(of, was.written)] == [*map(of, part.written)]:
                found.add(key)
        return frozenset(found)

    def _opaque_values(self, old: Variant, new: Variant, keys: Set[str]) -> frozenset[str]:
        """Return the values that are in both variants and are not known before the game starts.

        These values depend on something that differs. Other parts depend only on the types and
        parameters of these values, which are assumed to be the same.
        """
        found = set[str]()
        for key in keys:
            word, _, name = key.partition(" ")
            part = new.parts.get(key)
            if part is None or key not in old.parts or word not in ("value", "values"):
                continue
            models = old.model, new.model
            if word == "value" and any(name in w.positions or _is_known(w, name) for w in models):
                continue
            if not exposes_definition(part):
                found.add(key)
        return frozenset(found)

    def _is_outside(self, old: Variant, new: Variant, key: str, words: Set[str]) -> bool:
        """Return whether a part is a body that differs between the variants in a way that does not
        affect its callers.

        `_with_changed_effects` finds the bodies that can fail in only one of the variants.
        """
        before, now = old.analysis.bodies.get(key), new.analysis.bodies.get(key)
        if before is None or now is None:
            return False
        was, node = before.node, now.node
        if not isinstance(node, (declared.Rule, declared.Effect)):
            return False
        of = self.written.of
        is_same = was is node or of(shape_of, was) == of(shape_of, node)
        return is_same and all(words.isdisjoint(self.words(param)) for param in node.params)

    def _column_readers(
        self, new: Variant, unlike: Set[str], columns: Set[str], other: Set[str]
    ) -> tuple[frozenset[str], frozenset[str], frozenset[str]]:
        """Return the parts that differ or read columns. Among these parts, also return the values
        whose type is assumed to be the same, and the states that differ only in their initial
        value.

        Other parts depend only on the type and the parameters of a value. There are two exceptions:
        invariants, because they are evaluated, and values that rename a column, because the column
        may distinguish rows.
        """
        found, held = {*unlike}, set[str]()
        left = {key: part for key, part in new.parts.items() if key not in found}
        more, names, reading, started = set[str](), {*columns}, {*columns}, set[str]()
        while more or names:
            hit = [
                key
                for key, part in left.items()
                if not names.isdisjoint(part.words)
                or not more.isdisjoint(new.calls.get(key, frozenset()))
            ]
            more, names = {*hit}, set()
            for key in hit:
                part = left.pop(key)
                if key.startswith("value") and key not in other and not exposes_definition(part):
                    held.add(key)
                elif (
                    key not in started
                    and has_start(part)
                    and reading.isdisjoint(words_but_start(part))
                ):
                    left[key] = Part(part.written, words_but_start(part), part.names)
                    started.add(key)
                else:
                    started.discard(key)
                    names |= part.names
            reading |= names
            found |= more
        names = {name for key in started for name in new.parts[key].names}
        found |= _dependent_invariants(new, columns | names)
        return frozenset(found), frozenset(held), frozenset(started)

    def _constants_on(self, model: Model, names: set[str]) -> set[str]:
        """Return the values that have no parameters, depend on these names, and are known before the game starts."""
        found: set[str] = set()
        before = -1
        while before < len(found):
            before = len(found)
            for name, value in model.fixed_values.items():
                if not self.words(value).isdisjoint(names | found):
                    found.add(name)
        return found


def _intersection(found: Iterable[frozenset[str]]) -> frozenset[str]:
    """Return the intersection of all sets; return an empty set if there are none."""
    listed = [*found]
    return frozenset.intersection(*listed) if listed else frozenset()


def _is_same_variant(one: Model, other: Model) -> bool:
    """Return whether two models belong to the same variant. An edit between the two may have added
    or removed options.
    """
    chosen, others = one.option_chosen, other.option_chosen
    both = chosen.keys() & others.keys()
    return one.config.players == other.config.players and all(
        chosen[name] == others[name] for name in both
    )


def _do_nothing(_: str) -> None:
    """Do nothing, because the model is complete."""


def _solo_flags(model: Model) -> tuple[bool, bool]:
    """Return whether there is only one seat, and whether there is only one person."""
    return len(model.seats) < 2, model.config.players < 2


def _invariant_inputs(variant: Variant, parts: Set[str]) -> set[str]:
    """Return the parts on which the invariants in `parts` depend. Lowering an invariant may evaluate such parts."""
    words: set[str] = set()
    for key in parts:
        if key.startswith("invariant ") and key in variant.parts:
            words |= variant.parts[key].words
    found: set[str] = set()
    while more := [
        key
        for key, part in variant.parts.items()
        if key not in found and not words.isdisjoint(part.names)
    ]:
        found.update(more)
        words.update(*(variant.parts[key].words for key in more))
    return found


def _dependent_invariants(variant: Variant, names: Set[str]) -> set[str]:
    """Return the invariants that mention any of the given names, directly or through values."""
    names = {*names}
    values = {k: p for k, p in variant.parts.items() if k.startswith("value")} if names else {}
    while hit := [key for key, part in values.items() if not names.isdisjoint(part.words)]:
        names.update(*(values.pop(key).names for key in hit))
    invariants = (key for key in variant.parts if key.startswith("invariant "))
    return {key for key in invariants if not names.isdisjoint(variant.parts[key].words)}


def _with_changed_start(old: Variant, new: Variant, keys: Set[str]) -> set[str]:
    """Return those of the given parts that are stored things and differ only in their initial
    value.

    The layout step finds errors in an initial value.
    """
    found = set[str]()
    for key in keys:
        if key in old.parts and key in new.parts:
            was, now = old.parts[key].written, new.parts[key].written
            stored = [one for one in (*was, *now) if isinstance(one, STORED)]
            if len(stored) == len(was) + len(now) and len({*map(declaration_key, stored)}) == 1:
                found.add(key)
    return found


def _is_known(model: Model, name: str) -> bool:
    """Return whether the value of a name is known before the game starts."""
    return model.constant_values((name,))[name] is not None


def _have_same_types(before: Infos, now: Infos) -> bool:
    """Return whether, in both versions, the values with a given name have the same types and
    parameters and use `me` in the same way.
    """
    return len(before) == len(now) > 0 and all(
        (one.type, one.parameters, one.uses_me) == (other.type, other.parameters, other.uses_me)
        for one, other in zip(before, now, strict=True)
    )


def _changed_names(old: Variant, new: Variant) -> set[str]:
    """Return the names that have different meanings in the two variants."""
    model, before = new.model, old.model
    names = {
        name
        for name, chosen in model.option_chosen.items()
        if before.option_chosen.get(name) != chosen
    }
    names |= {f"do {name}" for name in model.verbs_absent ^ before.verbs_absent}
    if model.action_names != before.action_names:
        names.add("Action")
    names |= old.overrides ^ new.overrides
    if old.analysis.eliminates != new.analysis.eliminates:
        names |= {"players", *(f".{word}" for word in SEAT_WORDS)}
    return names


def _with_changed_effects(old: Variant, new: Variant) -> set[str]:
    """Return the bodies that are reached differently, or whose effects or callees' effects
    differ.
    """
    was, a = old.analysis, new.analysis
    both = [key for key in a.bodies if key in was.bodies]
    found = {key for key in both if old.uses[key] != new.uses[key]}
    if was.distinguishes_by("copy") != a.distinguishes_by("copy"):
        # Whether several copies count as one option depends on which of their attributes the rules
        # read.
        found |= {key for key in both if a.bodies[key].suspends}
    changed = {key for key, one in new.effects.items() if old.effects.get(key) != one}
    left, more = [key for key in both if key not in changed], {*changed}
    while more:
        more = {key for key in more if not _has_same_effects(was, a, key)}
        more = {
            key
            for key in left
            if not more.isdisjoint(a.direct_effects(key)[1])
            or not more.isdisjoint(new.open.get(key, ()))
        }
        changed |= more
        left = [key for key in left if key not in changed]
    return found | changed


def _fail_equally(was: Analysis, a: Analysis, keys: Iterable[str]) -> bool:
    """Return whether the same steps of the given bodies may be impossible in both variants.

    The text of these bodies is equal in both variants.
    """
    return all(
        was.can_fail((s,)) == a.can_fail((now,))
        for key in keys
        if a.bodies[key].fails
        for s, now in zip(was.bodies[key].steps, a.bodies[key].steps, strict=True)
    )


def _offer_equally(was: Analysis, a: Analysis, keys: Iterable[str]) -> bool:
    """Return whether the two versions of the given bodies agree on which steps may be impossible.

    Also require that the same arms of choices are available in every position.
    """
    return all(
        was.can_fail((s,)) == a.can_fail((now,)) and was.open_arms(s) == a.open_arms(now)
        for key in keys
        for s, now in zip(was.bodies[key].steps, a.bodies[key].steps, strict=True)
    )


def _has_same_effects(was: Analysis, a: Analysis, key: str) -> bool:
    """Return whether a body, including its calls and triggers, changes the same names in both variants."""
    body, before = a.bodies[key], was.bodies.get(key)
    if before is None or call_facts(before) != call_facts(body):
        return False
    return was.changed_by(key) == a.changed_by(key)
