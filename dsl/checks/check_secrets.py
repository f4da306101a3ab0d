"""Finds hidden things shown to somebody who may not know them: in the log, in options, in conditions and reasons.

Goes by what the text reads itself. A piece that was chosen or rolled before may be named: it is shown where it lies.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from rulewright.dsl.checks.checked import Compiled
from rulewright.dsl.lowering.workshop.analysis import Body
from rulewright.dsl.problems.diagnostics import Label
from rulewright.dsl.tree import declared, syntax
from rulewright.dsl.tree.nesting import blocks_of, every
from rulewright.dsl.world.world import World

Secret = declared.State | declared.Zone
_SIZES = frozenset(("size", "is_full", "free"))


def check_secrets(compiled: Compiled) -> None:
    """Report what tells more than the reader may know."""
    secrets = _secrets(compiled.world)
    if not secrets:
        return
    look = _Look(compiled, secrets)
    for body in compiled.analysis.bodies.values():
        if not body.reached:
            continue
        if isinstance(body.node, declared.Rule) and body.node.what == "action":
            for param in body.node.params:
                look.private(param.source, "these options")
                look.private(param.where, "the condition of this option")
                look.private(param.stretch, "the condition of this option")
        for s in every(body.statements):
            _statement(look, s, body.node)
        for s in _offered(body):
            _possible(look, s)
    for board in compiled.world.boards:
        look.drawn(board)


def _statement(look: _Look, s: syntax.Statement, node: object) -> None:
    match s:
        case syntax.Log(to=None):
            look.public(s.text)
        case syntax.Say():
            look.private(s.text, "the words of this option")
        case syntax.Needs():
            if isinstance(node, declared.Rule) and node.what == "action":
                look.private(s.condition, "the condition of this option")
            look.private(s.reason, "this reason")
        case syntax.Choose():
            look.private(s.source, "these options")
            look.private(s.where, "the condition of these options")
            look.private(s.stretch, "the condition of these options")
            look.private(s.say, "the words of these options")
        case syntax.ChooseOf():
            for arm in s.arms:
                if isinstance(arm, syntax.OptionArm):
                    look.private(arm.text, "the words of this option")
                    look.private(arm.where, "the condition of this option")
                    if arm.binder is not None:
                        look.private(arm.binder.source, "these options")
        case _:
            pass


def _offered(body: Body) -> Iterator[syntax.Statement]:
    """The steps of a body on which it depends what is offered; what the rules are sure of cannot fail."""
    is_action = isinstance(body.node, declared.Rule) and body.node.what == "action"
    asked = (s for s in every(body.statements) if isinstance(s, syntax.ChooseOf | syntax.May))
    blocks = [body.statements] if body.in_guard or is_action else chain(*map(blocks_of, asked))
    for block in blocks:
        steps = list(every(block))
        sure = {id(s.step) for s in steps if isinstance(s, syntax.Surely)}
        yield from (s for s in steps if id(s) not in sure)


def _possible(look: _Look, s: syntax.Statement) -> None:
    """A step that takes something can be done where there is enough of it."""
    what = "whether this can be done"
    match s:
        case syntax.Amount(verb="pay"):
            look.private(s.place, what)
        case syntax.Move(how="exactly", source=source):
            secret = look.secret_of(source)
            if secret is not None and not _allows(secret, "size"):
                look.private(source, what)
        case _:
            pass


def _secrets(world: World) -> dict[str, Secret]:
    """Stored things that not everybody sees, where all of that name are so."""
    found: dict[str, Secret] = {}
    open_names: set[str] = set()
    parts: list[Secret] = [*world.states.values(), *world.zones.values()]
    parts += [*world.player_states.values(), *world.player_zones.values()]
    for kind in [*world.pieces.values(), *world.spaces.values()]:
        parts += [*kind.states, *kind.zones]
    for part in parts:
        if part.seen is None or part.seen.by not in ("owner", "nobody"):
            open_names.add(part.name)
        else:
            found[part.name] = part
    return {name: part for name, part in found.items() if name not in open_names}


class _Look:
    """Looks for secrets in expressions."""

    def __init__(self, compiled: Compiled, secrets: dict[str, Secret]) -> None:
        self.compiled, self.secrets = compiled, secrets

    def public(self, e: syntax.Expression) -> None:
        """A text for everybody."""
        for place, secret in self.reads(e, set()):
            self.report(
                place, secret, f"the log tells everybody `{place.span.text}`", "or add `to me`"
            )

    def drawn(self, board: declared.Board) -> None:
        """What everybody sees of a board."""
        for place, secret in self.reads((board.title, board.shows, board.notes), set()):
            self.report(place, secret, f"a board shows everybody `{place.span.text}`", "")

    def private(self, e: object, what: str) -> None:
        """Something shown to the player who chooses: `me`."""
        if e is None:
            return
        for place, secret in self.reads(e, set()):
            assert secret.seen is not None
            if secret.seen.by == "owner" and _is_own(place):
                continue
            depends = "depend" if what.startswith(("these", "the words")) else "depends"
            self.report(place, secret, f"{what} {depends} on `{place.span.text}`", "")

    def report(self, place: syntax.Expression, secret: Secret, message: str, other: str) -> None:
        assert secret.seen is not None
        who = "nobody" if secret.seen.by == "nobody" else "only its owner"
        help = "ask something that everybody concerned may know"
        if isinstance(secret, declared.Zone):
            help = f"move the piece to an open zone first{', ' + other if other else ''}"
            counts = isinstance(place, syntax.Dot) and place.name in _SIZES
            if counts or message.startswith("whether"):
                help = (
                    "write `except size` behind `seen by` where everybody may count what lies there"
                )
        self.compiled.problems.error(
            "secret-leak",
            f"{message}, which {who} may see",
            place.span,
            labels=(Label(secret.name_span, "declared here"),),
            help=help,
        )

    def reads(
        self, e: object, through: set[str]
    ) -> Iterator[tuple[syntax.Word | syntax.Call | syntax.Dot, Secret]]:
        """Parts of an expression that look into something hidden, themselves or through values."""
        world = self.compiled.world
        match e:
            case syntax.Dot(name=name, subject=subject):
                secret = self.secret_of(subject)
                if secret is not None and (name == "capacity" or _allows(secret, name)):
                    if isinstance(subject, syntax.Dot):
                        yield from self.reads(subject.subject, through)
                    return
                if secret is not None and name in _SIZES:
                    yield e, secret
                    return
                own = self.secrets.get(name)
                if own is not None:
                    yield e, own
                    return
                if e.arguments is None and secret is None:
                    values = world.subject_values.get(name, [])
                    yield from self.inside(e, name, values, through)
                yield from self.reads(subject, through)
                yield from self.reads(e.arguments, through)
            case syntax.Binary(operator="is" | "is not", right=syntax.Fixed(word="empty")):
                secret = self.secret_of(e.left)
                if secret is None:
                    yield from self.reads(e.left, through)
                elif not _allows(secret, "size") and isinstance(e.left, syntax.Dot | syntax.Word):
                    yield e.left, secret
            case syntax.Word() | syntax.Call():
                secret = self.secrets.get(e.name)
                if secret is not None and e.name not in world.values:
                    yield e, secret
                elif e.name in world.values:
                    yield from self.inside(e, e.name, [world.values[e.name]], through)
                if isinstance(e, syntax.Call):
                    yield from self.reads(e.arguments, through)
            case tuple():
                for part in e:
                    yield from self.reads(part, through)
            case str() | None | syntax.Number() | syntax.Fixed() | syntax.TypeWord():
                pass
            case _:
                for name in getattr(type(e), "__slots__", ()):
                    if name not in ("span", "name_span", "__weakref__"):
                        yield from self.reads(getattr(e, name), through)

    def secret_of(self, e: object) -> Secret | None:
        """The hidden thing that an expression names itself."""
        if isinstance(e, syntax.Word | syntax.Call | syntax.Dot):
            return self.secrets.get(e.name)
        return None

    def inside(
        self,
        place: syntax.Word | syntax.Call | syntax.Dot,
        name: str,
        values: list[declared.Value],
        through: set[str],
    ) -> Iterator[tuple[syntax.Word | syntax.Call | syntax.Dot, Secret]]:
        """What a named value looks into stands for the place where it is asked."""
        if name in through:
            return
        for value in values:
            for _, secret in self.reads(value.value, {*through, name}):
                yield place, secret
                return


def _allows(secret: Secret, name: str) -> bool:
    """Whether everybody sees this of what else is hidden; who sees how many there are sees what follows from it."""
    shown = "size" if name in _SIZES else name
    return secret.seen is not None and shown in secret.seen.except_for


def _is_own(place: syntax.Expression) -> bool:
    """Whether a path is about the player who chooses: `me.hand`, but not `me.left.hand`."""
    if isinstance(place, syntax.Dot) and place.name in _SIZES:
        place = place.subject
    if not isinstance(place, syntax.Dot):
        return False
    return isinstance(place.subject, syntax.Word) and place.subject.name == "me"
