"""Draw the open question with the list of all its options, as a form of buttons."""

from __future__ import annotations

from collections.abc import Sequence

import attrs

from rulewright.interpreter.views.scene import Option, Scene
from rulewright.pictures.areas import drawn_instead
from rulewright.pictures.markup import Markup, inner, tag
from rulewright.pictures.pen import FORM
from rulewright.pictures.words import say

_MANY = 12


@attrs.frozen
class Form:
    """The destination of a choice: the address, and the fields sent with it (the number of the decision, a
    token).
    """

    action: str = ""
    fields: tuple[tuple[str, str], ...] = ()


def question(scene: Scene, form: Form) -> Markup:
    """Draw the question and its options; other viewers see whose decision it is."""
    decision = scene.decision
    if scene.is_over:
        return tag("p", _ending(scene), class_="rw-prompt")
    if decision is None:
        return Markup("")
    if not decision.options:
        is_known = decision.player >= 0
        name = scene.players[decision.player].name if is_known else say("picture-chance")
        said = "picture-decides-about" if decision.prompt else "picture-decides"
        text = say(said, name=name, prompt=decision.prompt)
        return tag("p", text, class_="rw-prompt rw-waiting")
    options = _apart(scene, decision.options)
    answers = [option for option in options if not option.is_aside]
    asides = [option for option in options if option.is_aside]
    return inner(
        tag("p", _capital(decision.prompt), class_="rw-prompt", id="question-text"),
        tag(
            "form",
            *(tag("input", type="hidden", name=name, value=value) for name, value in form.fields),
            _list(answers, "rw-options"),
            _list(asides, "rw-options rw-asides") if asides else None,
            method="post",
            action=form.action,
            id=FORM,
            data_again=say("picture-again"),
            aria_labelledby="question-text",
        ),
    )


def _apart(scene: Scene, options: Sequence[Option]) -> list[Option]:
    """Return the options, but only one of several with equal texts about pieces that are drawn as one.

    The option for the drawn piece is kept.
    """
    if len({option.text for option in options}) == len(options):
        return [*options]
    owners = (scene.table, *(player.has for player in scene.players))
    shown = dict(pair for owner in owners for zone in owner.zones for pair in drawn_instead(zone))
    found: dict[object, Option] = {}
    for option in options:
        things = tuple(
            (sort, shown.get(id, id) if sort == "piece" else id) for sort, id in option.touches
        )
        first = found.setdefault((option.text, things, option.is_aside), option)
        if first.touches != things and option.touches == things:
            found[option.text, things, option.is_aside] = option
    return sorted(found.values(), key=lambda option: option.number)


def _list(options: Sequence[Option], class_: str) -> Markup:
    long = any(len(option.text) > 36 for option in options)
    classes = f"{class_}{' rw-long' if long else ''}{' rw-many' if len(options) > _MANY else ''}"
    return tag(
        "ul",
        *(
            tag(
                "li",
                tag(
                    "button",
                    _capital(option.text),
                    type="submit",
                    name="option",
                    value=option.number,
                    data_option=option.number,
                    data_touches=" ".join(f"{sort}-{id}" for sort, id in option.touches) or None,
                ),
                id=f"option-{option.number}",
            )
            for option in options
        ),
        class_=classes,
    )


def _ending(scene: Scene) -> str:
    names = [scene.players[seat].name for seat in scene.winners]
    if not names:
        return say("picture-draw")
    if len(names) == 1:
        return say("picture-wins", name=names[0])
    return say("picture-win", names=", ".join(names[:-1]), name=names[-1])


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
