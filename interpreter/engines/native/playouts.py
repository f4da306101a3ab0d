"""Writes LLVM IR for the functions that Python calls. They take steps, list options, and run one or
many random playouts.

Each function returns a number. FAILED means that another engine must do the work, and that the
state has not changed.
"""

from __future__ import annotations

from typing import Final

from rulewright.dsl.ir import BOUND, FP, FRAME, GUARD, OVER, SITE, LocalList
from rulewright.interpreter.engines.chance import STEP
from rulewright.interpreter.engines.choice_log import (
    GOES_ON,
    ROLLED,
    SAME_SHIFT,
    SHUFFLING,
    SITE_SHIFT,
)
from rulewright.interpreter.engines.engine import STEPS
from rulewright.interpreter.engines.kernels.driven import (
    BOT_COUNTER,
    BOT_KEY,
    CHANCE_COUNTER,
    CHANCE_KEY,
    COUNTS,
    DRIVEN,
    LEFT,
    MADE,
    NOTED,
    NOTED_END,
    ROOM,
    TWINS,
)
from rulewright.interpreter.engines.native.llvm_text import Function
from rulewright.interpreter.engines.native.log_buffer import heard, listen
from rulewright.interpreter.engines.native.module import (
    FAILED,
    GIVEN_UP,
    IMPOSSIBLE,
    WAITING,
    Module,
)
from rulewright.interpreter.engines.native.optimise.ranges import ANY, HIGH
from rulewright.interpreter.engines.native.possibility_search import is_searched, scopes
from rulewright.interpreter.engines.native.representation import LIST, NUMBER
from rulewright.interpreter.engines.native.runtime import copy, failing, has_failed
from rulewright.interpreter.engines.playouts import WORDS_A_STEP

ENDED, ENOUGH, INTERRUPTED = range(3)
"""How a run of a match ended: the match is over, no choices are left, or the limit for one call is reached."""

OFFERED: Final = {
    "rulewright_run": "p",
    "rulewright_advance": "pqp",
    "rulewright_options": "p",
    "rulewright_has": "pq",
    "rulewright_possible": "pqpqq",
    "rulewright_value": "pqp",
    "rulewright_totals": "pp",
    "rulewright_play": "pp",
}
"""The names of the exported functions, and their parameters: addresses (`p`) and 64-bit numbers (`q`)."""


def plays(module: Module) -> list[str]:
    """Write the functions."""
    functions = [
        _check(module),
        _draw(),
        _draw_result(),
        _note_event(),
        _note_choice(),
        _play(module),
    ]
    functions += [_choose_randomly(module, number) for number in range(len(module.program.sites))]
    functions += [_note_result(module, number) for number in range(len(module.program.chances))]
    functions += [_run(), _advance(module), _options(module)]
    return [
        *functions,
        _has(module),
        _possible(),
        _value(module),
        _play_alone(),
    ]


def _check(module: Module) -> str:
    """Write a function that returns whether a decision or a chance event is open."""
    program = module.program
    f = Function("internal fastcc i1 @open(ptr %S) nounwind")
    site = f.cell("%S", SITE)
    number = f.variable("i64", str(len(program.sites)))
    with f.when(f.value(f"icmp ne i64 {f.cell('%S', BOUND)}, 0")):
        f.store("i64", str(len(program.chances)), number)
    known = f.load("i64", number)
    f.leave(f"i1 {f.value(f'icmp ult i64 {site}, {known}')}")
    return f.text()


def _draw() -> str:
    """Write a function that draws a random number below a bound, with equal probabilities, and
    advances the generator's counter."""
    f = Function("internal fastcc i64 @draw(i64 %key, ptr %counter, i64 %bound) nounwind")
    with f.loop() as (head, _):
        place = f.value(f"add i64 {f.load('i64', '%counter')}, 1")
        f.store("i64", place, "%counter")
        step = f.value(f"mul i64 {place}, {STEP - 2**64}")
        number = mix(f, f.value(f"add i64 %key, {step}"))
        product = f.value(f"mul i64 {f.value(f'lshr i64 {number}, 32')}, %bound")
        low = f.value(f"and i64 {product}, {2**32 - 1}")
        found = f.value(f"lshr i64 {product}, 32")
        with f.when(f.value(f"icmp uge i64 {low}, %bound")):
            f.leave(f"i64 {found}")
        refused = f.value(f"urem i64 {f.value(f'sub i64 {2**32}, %bound')}, %bound")
        with f.when(f.value(f"icmp uge i64 {low}, {refused}")):
            f.leave(f"i64 {found}")
        f.jump(head)
    return f.text()


def mix(f: Function, number: str) -> str:
    """Write code that mixes the bits of a number, as `chance.mix` does. Return the name of the result."""
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        half = f.value(f"xor i64 {number}, {f.value(f'lshr i64 {number}, {shift}')}")
        number = f.value(f"mul i64 {half}, {factor - 2**64}")
    return f.value(f"xor i64 {number}, {f.value(f'lshr i64 {number}, 31')}")


def _play(module: Module) -> str:
    """Write a function that continues the match with random choices for all players.

    Each run answers the decisions and chance events that it opens.
    """
    sites = range(len(module.program.sites))
    takers = module.words(tuple(f"@t{number}" for number in sites) or ("null",))
    chances = range(len(module.program.chances))
    notes = module.words(tuple(f"@n{number}" for number in chances) or ("null",))
    f = Function("internal fastcc i64 @play(ptr %S, ptr %P) nounwind")
    at = [f.at("%P", place, "i64") for place in range(DRIVEN)]
    f.store("i64", "0", at[MADE])
    f.store("i64", "0", "@CHANCES")
    f.store("ptr", "%P", "@DRIVE")

    def answer(drawn: str) -> None:
        f.do(f"call fastcc void @answer(ptr %S, i32 {f.value(f'trunc i64 {drawn} to i32')})")
        gone = f.value("call fastcc i64 @go(ptr %S, i64 -1)")
        with f.when(has_failed(f, gone)):
            f.leave(f"i64 {FAILED}")

    with f.loop() as (head, _):
        with f.when(f.value(f"icmp ne i64 {f.cell('%S', OVER)}, 0")):
            f.store("ptr", "null", "@DRIVE")
            f.leave(f"i64 {ENDED}")
        with f.when(f.value("call fastcc i1 @open(ptr %S)")):
            bound = f.cell("%S", BOUND)
            with f.when(f.value(f"icmp ne i64 {bound}, 0")):
                drawn = f.value(f"call fastcc i64 @draw_result(ptr %P, i64 {bound})")
                with f.when(has_failed(f, drawn)):
                    f.leave(f"i64 {FAILED}")
                with f.when(f.value(f"icmp ne i64 {f.load('i64', at[NOTED])}, 0")):
                    note = f.load("ptr", f.at(notes, f.cell("%S", SITE), "ptr"))
                    f.do(f"call fastcc void {note}(ptr %S, ptr %P, i64 {drawn})")
                answer(drawn)
                f.jump(head)
            taker = f.load("ptr", f.at(takers, f.cell("%S", SITE), "ptr"))
            option = f.value(f"call fastcc i64 {taker}(ptr %S, ptr %P)")
            with f.when(has_failed(f, option)):
                f.leave(f"i64 {FAILED}")
            with f.when(f.value(f"icmp eq i64 {option}, {WAITING}")):
                f.store("ptr", "null", "@DRIVE")
                enough = f.value(f"icmp eq i64 {f.load('i64', at[LEFT])}, 0")
                f.leave(f"i64 {f.value(f'select i1 {enough}, i64 {ENOUGH}, i64 {INTERRUPTED}')}")
            answer(option)
            f.jump(head)
        failing(f, GIVEN_UP)
    return f.text()


def _draw_result() -> str:
    """Write a function that draws a result of chance for the current playout."""
    f = Function("internal fastcc i64 @draw_result(ptr %P, i64 %bound) nounwind")
    chances = f.value(f"add i64 {f.load('i64', '@CHANCES')}, 1")
    f.store("i64", chances, "@CHANCES")
    with f.when(f.value(f"icmp sgt i64 {chances}, {STEPS}")):
        failing(f, GIVEN_UP)
    f.store("i64", str(STEPS), "@TURNS")
    key, counter = f.load("i64", f.at("%P", CHANCE_KEY, "i64")), f.at("%P", CHANCE_COUNTER, "i64")
    f.leave(f"i64 {f.value(f'call fastcc i64 @draw(i64 {key}, ptr {counter}, i64 %bound)')}")
    return f.text()


def _note_event() -> str:
    """Write a function that records an event of the current playout. A shuffle in progress is marked."""
    f = Function("internal fastcc void @note_event(ptr %P, i64 %event) nounwind")
    address = f.at("%P", NOTED, "i64")
    place = f.load("ptr", address)
    before = f.load("i64", f.at(place, -1, "i64"))
    both = f.value(f"and i64 {f.value(f'and i64 {before}, %event')}, {SHUFFLING}")
    mark = f.value(f"select i1 {f.value(f'icmp ne i64 {both}, 0')}, i64 {GOES_ON}, i64 0")
    f.store("i64", f.value(f"or i64 %event, {mark}"), place)
    f.store("ptr", f.at(place, 1, "i64"), address)
    f.leave("void")
    return f.text()


def _note_result(module: Module, number: int) -> str:
    """Write a function that records a result of a chance event."""
    chance = module.program.chances[number]
    f = Function(f"internal fastcc void @n{number}(ptr %S, ptr %P, i64 %drawn) nounwind")
    if chance.purpose == "shuffle":
        event = f.value(f"or i64 %drawn, {SHUFFLING}")
    else:
        value = "%drawn"
        if isinstance(chance.values, LocalList):
            first = f.value(f"add i64 {f.cell('%S', FP)}, {FRAME + chance.values.slot + 1}")
            value = f.cell(f.at("%S", first), "%drawn")
        value = f.value(f"and i64 {value}, {2**SAME_SHIFT - 1}")
        event = f.value(f"or i64 {value}, {ROLLED | number << SAME_SHIFT}")
    f.do(f"call fastcc void @note_event(ptr %P, i64 {event})")
    f.leave("void")
    return f.text()


def _note_choice() -> str:
    """Write a function that records a choice, with the number of earlier options of the same name."""
    f = Function(
        "internal fastcc void @note_choice(ptr %P, i64 %site, ptr %offers, i64 %choice) nounwind"
    )
    option = f.cell("%offers", "%choice")
    same = f.variable("i64", "0")
    names = f.load("ptr", f.at(f.load("ptr", f.at("%P", TWINS, "i64")), "%site", "i64"))
    with f.when(f.value(f"icmp ne ptr {names}, null")):
        name = f.cell(names, option)
        with f.count("%choice") as place:
            other = f.cell(names, f.cell("%offers", place))
            equal = f.value(f"zext i1 {f.value(f'icmp eq i64 {other}, {name}')} to i64")
            f.store("i64", f.value(f"add i64 {f.load('i64', same)}, {equal}"), same)
    event = f.value(f"or i64 {option}, {f.value(f'shl i64 %site, {SITE_SHIFT}')}")
    before = f.value(f"shl i64 {f.load('i64', same)}, {SAME_SHIFT}")
    event = f.value(f"or i64 {event}, {before}")
    f.do(f"call fastcc void @note_event(ptr %P, i64 {event})")
    f.leave("void")
    return f.text()


def _choose_randomly(module: Module, site: int) -> str:
    """Write a function that chooses an option at random for the current playout.

    At the limit of choices, the function returns WAITING.
    """
    f = Function(f"internal fastcc i64 @t{site}(ptr %S, ptr %P) nounwind")
    at = [f.at("%P", place, "i64") for place in range(DRIVEN)]
    offers = f.load("ptr", "@OFFERS")
    ends = [
        f.value(f"ptrtoint ptr {each} to i64") for each in (f.load("ptr", "@OFFERS_END"), offers)
    ]
    f.store("ptr", f.load("ptr", "@BASE"), "@TOP")
    f.store("i64", str(STEPS), "@TURNS")
    f.store("i64", "0", "@CHANCES")
    f.store("i64", "0", "@COUNT")
    f.store("i64", f.value(f"ashr i64 {f.value(f'sub i64 {ends[0]}, {ends[1]}')}, 2"), "@LIMIT")
    with f.when(has_failed(f, f.value(f"call fastcc i64 @e{site}(ptr %S)"))):
        failing(f, GIVEN_UP)
    options = f.variable("i64")
    f.store("i64", f.load("i64", "@COUNT"), options)
    with f.when(f.value(f"icmp eq i64 {f.load('i64', options)}, 0")):
        failing(f, IMPOSSIBLE)
    if scopes(module, site) < HIGH:
        guard = f.cell("%S", GUARD)
        with f.when(f.value(f"icmp sge i64 {guard}, {scopes(module, site)}")):
            real = f.value(f"call fastcc i64 @keep_possible(ptr %S, i64 {f.load('i64', options)})")
            with f.when(has_failed(f, real)):
                f.leave(f"i64 {FAILED}")
            f.store("i64", real, options)
    count = f.load("i64", options)
    with f.when(f.value(f"icmp eq i64 {count}, 0")):
        failing(f, GIVEN_UP)
    left, made = f.load("i64", at[LEFT]), f.load("i64", at[MADE])
    full = f.value(f"icmp sge i64 {made}, {f.load('i64', at[ROOM])}")
    noted = f.load("i64", at[NOTED])
    no_room = f.value(f"icmp ugt i64 {noted}, {f.load('i64', at[NOTED_END])}")
    full = f.value(f"or i1 {full}, {no_room}")
    with f.when(f.value(f"or i1 {full}, {f.value(f'icmp eq i64 {left}, 0')}")):
        f.leave(f"i64 {WAITING}")
    f.store("i64", "0", "@COUNT")
    f.store("i64", f.value(f"sub i64 {left}, 1"), at[LEFT])
    f.store("i64", f.value(f"add i64 {made}, 1"), at[MADE])
    counter, place = f.variable("i64"), f.load("i64", at[BOT_COUNTER])
    f.store("i64", place, counter)
    key = f.load("i64", at[BOT_KEY])
    choice = f.value(f"call fastcc i64 @draw(i64 {key}, ptr {counter}, i64 {count})")
    f.store("i64", f.value(f"add i64 {place}, {WORDS_A_STEP}"), at[BOT_COUNTER])
    counts = f.load("ptr", at[COUNTS])
    with f.when(f.value(f"icmp ne ptr {counts}, null")):
        f.set_cell(counts, made, f.value(f"trunc i64 {count} to i32"))
    with f.when(f.value(f"icmp ne i64 {noted}, 0")):
        f.do(f"call fastcc void @note_choice(ptr %P, i64 {site}, ptr {offers}, i64 {choice})")
    f.leave(f"i64 {f.cell(offers, choice)}")
    return f.text()


# ---- exported functions --------------------------------------------------------------------------


def _begin_exported(name: str, *parameters: str) -> Function:
    f = Function(f"i64 @rulewright_{name}({', '.join(('ptr %S', *parameters))})")
    f.do("call fastcc void @begin()")
    return f


def _enter(f: Function) -> str:
    """Write code that copies the caller's state to the working memory."""
    return f.value("call fastcc ptr @enter(ptr %S)")


def _leave(f: Function, found: str) -> None:
    """Write code that copies the new state back to the caller. If the work has failed, the caller's
    state stays unchanged."""
    with f.when(has_failed(f, found)):
        f.leave(f"i64 {FAILED}")
    f.do("call fastcc void @leave(ptr %S)")


def _run() -> str:
    """Write a function that runs the program from a state, changing the state in place."""
    f = _begin_exported("run")
    found = f.value(f"call fastcc i64 @go(ptr {_enter(f)}, i64 -1)")
    _leave(f, found)
    f.leave(f"i64 {found}")
    return f.text()


def _advance(module: Module) -> str:
    """Write a function that answers the open decision or chance event, and runs in place.

    It returns the number of options of the next decision, if that is known. If there is a buffer,
    log lines are written to it.
    """
    f = _begin_exported("advance", "i64 %choice", "ptr %room")
    with f.when(f.value(f"xor i1 {f.value('call fastcc i1 @open(ptr %S)')}, true")):
        failing(f, GIVEN_UP)
    bound = f.cell("%S", BOUND)
    with (
        f.when(f.value(f"icmp ne i64 {bound}, 0")),
        f.when(f.value(f"icmp uge i64 %choice, {bound}")),
    ):
        failing(f, GIVEN_UP)
    choice = f.value("trunc i64 %choice to i32")
    with f.when(f.value(f"icmp ne i64 {f.value(f'sext i32 {choice} to i64')}, %choice")):
        failing(f, GIVEN_UP)
    state = _enter(f)
    f.do(f"call fastcc void @answer(ptr {state}, i32 {choice})")
    listens = f.value("icmp ne ptr %room, null")
    with f.when(listens):
        listen(f, "%room")
    found = f.value(f"call fastcc i64 @go(ptr {state}, i64 -1)")
    _leave(f, found)
    with f.when(listens):
        heard(f, "%room")
    known = f.load("i64", "@KNOWN")
    with f.when(f.value(f"icmp sgt i64 {known}, 0")):
        with f.when(is_searched(f, module)):
            f.leave("i64 0")
        f.leave(f"i64 {known}")
    f.leave("i64 0")
    return f.text()


def _options(module: Module) -> str:
    """Write a function that returns the number of options of the open decision."""
    f = _begin_exported("options")
    with f.when(f.value("call fastcc i1 @open(ptr %S)")):
        f.leave(f"i64 {f.value('call fastcc i64 @options(ptr %S, i64 -1)')}")
    failing(f, GIVEN_UP)
    return f.text()


def _has(module: Module) -> str:
    """Write a function that returns whether an option of the open decision can be chosen."""
    inner = Function("internal fastcc i64 @has_option(ptr %S, i64 %option) nounwind")
    _find_option(inner, module)
    f = _begin_exported("has", "i64 %option")
    f.leave(f"i64 {f.value('call fastcc i64 @has_option(ptr %S, i64 %option)')}")
    return inner.text() + f.text()


def _find_option(f: Function, module: Module) -> None:
    with f.when(f.value("call fastcc i1 @open(ptr %S)")):
        count = f.value("call fastcc i64 @list_all(ptr %S)")
        with f.when(has_failed(f, count)):
            f.leave(f"i64 {FAILED}")
        offers = f.load("ptr", "@OFFERS")
        there = f.value(f"call fastcc i1 @has(ptr {offers}, i64 {count}, i64 %option)")
        with f.when(f.value(f"xor i1 {there}, true")):
            f.leave("i64 0")
        with f.when(is_searched(f, module)):
            f.set_cell(offers, 0, f.value("trunc i64 %option to i32"))
            f.leave(f"i64 {f.value('call fastcc i64 @keep_possible(ptr %S, i64 1)')}")
        f.leave("i64 1")
    failing(f, GIVEN_UP)


def _possible() -> str:
    """Write a function that evaluates the expression `Possible`."""
    parameters = ("i64 %procedure", "ptr %arguments", "i64 %count", "i64 %actor")
    f = _begin_exported("possible", *parameters)
    f.leave(
        "i64 "
        + f.value(
            "call fastcc i64 @possible(ptr %S, i64 %procedure, ptr %arguments, i64 %count, "
            "i64 %actor)"
        )
    )
    return f.text()


def _value(module: Module) -> str:
    """Write a function that evaluates the procedure at index `%place` among those that Python can call.

    The arguments are numbers. If the result is a list, it is written to `@OFFERS`, and its length
    is returned.
    """
    asked = module.asked
    table = module.words(tuple(f"@v{plain}" for plain in asked) or ("null",))
    f = _begin_exported("value", "i64 %place", "ptr %arguments")
    with f.when(f.value(f"icmp uge i64 %place, {len(asked)}")):
        failing(f, GIVEN_UP)
    function = f.load("ptr", f.at(table, "%place", "ptr"))
    f.leave(f"i64 {f.value(f'call fastcc i64 {function}(ptr %S, ptr %arguments)')}")
    return f.text() + "".join(_value_of(module, plain) for plain in asked)


def _value_of(module: Module, plain: int) -> str:
    f = Function(f"internal fastcc i64 @v{plain}(ptr %S, ptr %arguments) nounwind")
    arguments = ["ptr %S"]
    for slot in range(module.program.plain[plain].parameters):
        if module.kinds.slot(plain, slot) != NUMBER:
            failing(f, GIVEN_UP)
            return f.text()
        low, high = module.ranges.argument(plain, slot)
        given = f.load("i32", f.at("%arguments", slot))
        if (low, high) != ANY:
            moved = f.value(f"sub i32 {given}, {low}")
            with f.when(f.value(f"icmp ugt i32 {moved}, {high - low}")):
                failing(f, GIVEN_UP)
        arguments.append(f"i32 {given}")
    kind, gives = module.kinds.result(plain), module.gives(plain)
    found = f.value(f"call fastcc {gives} @p{plain}({', '.join(arguments)})")
    if kind == NUMBER:
        f.leave(f"i64 {found}")
        return f.text()
    items, length = (f.value(f"extractvalue {gives} {found}, {place}") for place in (0, 1))
    with f.when(f.value(f"icmp eq ptr {items}, null")):
        f.leave(f"i64 {FAILED}")
    offers = f.load("ptr", "@OFFERS")
    fits = f.value(f"icmp ule ptr {f.at(offers, length)}, {f.load('ptr', '@OFFERS_END')}")
    with f.when(fits if kind == LIST else "false"):
        copy(f, offers, items, f.value(f"shl i64 {length}, 2"))
        f.leave(f"i64 {length}")
    failing(f, GIVEN_UP)
    return f.text()


def _play_alone() -> str:
    """Write a function that continues at random, in place."""
    f = _begin_exported("play", "ptr %P")
    found = f.value(f"call fastcc i64 @play(ptr {_enter(f)}, ptr %P)")
    _leave(f, found)
    f.leave(f"i64 {found}")
    return f.text()
