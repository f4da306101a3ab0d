"""Implement `rulewright serve`, which hosts tables in the browser."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from rulewright.cli.exits import Exit
from rulewright.cli.options import WholeNumber, example, load_from

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rulewright.interpreter.matches.game import Game
    from rulewright.web.serving.notices import Settings


@click.command(
    short_help="Play with friends in the browser.",
    epilog=example(
        "rulewright serve",
        "rulewright serve ginkgopolis mygame.game --port 8000",
        "rulewright serve --host 0.0.0.0 --public-url https://play.example.org --data /var/lib/rulewright",
    ),
)
@click.argument("games", metavar="[GAME]...", nargs=-1)
@click.option("--port", type=WholeNumber(0, 65535), default=8000, show_default=True, metavar="N")
@click.option(
    "--host",
    default="127.0.0.1",
    show_default=True,
    metavar="ADDRESS",
    help="The address to listen on; 0.0.0.0 means all addresses.",
)
@click.option(
    "--data",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="The folder for tables; by default a folder of the user.",
)
@click.option(
    "--public-url", default="", metavar="URL", help="The address by which others reach the server."
)
@click.option(
    "--jobs",
    type=WholeNumber(1, 64),
    default=1,
    show_default=True,
    metavar="N",
    help="The number of server processes.",
)
@click.option(
    "--bot-jobs",
    type=WholeNumber(1, 64),
    default=1,
    show_default=True,
    metavar="N",
    help="The number of processes for bots.",
)
@click.option(
    "--rate",
    type=WholeNumber(1),
    default=10,
    show_default=True,
    metavar="N",
    help="The maximum number of changing requests per second from one address.",
)
@click.option(
    "--database",
    default="",
    envvar="RULEWRIGHT_DATABASE",
    metavar="URL",
    help="A PostgreSQL database, postgresql://NAME:WORD@HOST/NAME, instead of a file in the data folder.",
)
@click.option(
    "--who-may-create",
    type=click.Choice(["anyone", "code", "host"]),
    default="anyone",
    show_default=True,
    help="Let anyone create tables, or people who know --code, or people who know the code printed at the start.",
)
@click.option("--code", default="", metavar="WORD", help="The code for creating tables.")
@click.option(
    "--smtp",
    default="",
    envvar="RULEWRIGHT_SMTP",
    metavar="URL",
    help="Send notices by email over smtp://NAME:WORD@HOST:PORT; better set in the variable RULEWRIGHT_SMTP.",
)
@click.option("--mail-from", default="", metavar="ADDRESS", help="The sender of these emails.")
@click.option(
    "--push",
    default="",
    metavar="CONTACT",
    help="Send notices to browsers; CONTACT is your address for push services, such as mailto:you@example.org.",
)
@click.option("--webhooks", is_flag=True, help="Let hosts of tables send their turns to a webhook.")
@click.option(
    "--private-addresses", is_flag=True, help="Allow notices to addresses in the local network."
)
@click.option(
    "--notice-after",
    type=WholeNumber(0, 86_400),
    default=60,
    show_default=True,
    metavar="SECONDS",
    help="How long to wait for a choice before a notice is sent.",
)
@click.option(
    "--forget-after",
    type=WholeNumber(0, 36_500),
    default=90,
    show_default=True,
    metavar="DAYS",
    help="Delete names, chat and addresses this long after the last move at a table; 0 means never.",
)
def command(
    games: tuple[str, ...],
    port: int,
    host: str,
    data: Path | None,
    public_url: str,
    jobs: int,
    bot_jobs: int,
    rate: int,
    database: str,
    who_may_create: str,
    code: str,
    smtp: str,
    mail_from: str,
    push: str,
    webhooks: bool,
    private_addresses: bool,
    notice_after: int,
    forget_after: int,
) -> int:
    """Serve tables: people and bots play the games together in a browser, by links.

    GAME is a file or the name of a shipped game; without GAME, all shipped games are offered. Tables are
    stored: when the server stops, nothing is lost. `serve admin tables` lists them; `admin export`,
    `delete` and `free` take a TABLE, `admin records` and `notes` take a GAME. docs/serve.md explains how to
    run the server for others. Needs the extra `web`: pip install '.[web]'.
    """
    try:
        # lazy import: other commands work without these libraries
        from rulewright.web.serving.app import Options
        from rulewright.web.serving.run import listening, run
    except ModuleNotFoundError as failure:
        if (failure.name or "").split(".")[0] not in (
            "starlette",
            "uvicorn",
            "sqlalchemy",
            "segno",
            "multipart",
        ):
            raise
        raise click.UsageError(f'the server needs {failure.name}: pip install ".[web]"') from None
    _needs_driver(database)
    from secrets import token_urlsafe

    from rulewright.interpreter.matches.library import find_game, shipped_games

    if games[:1] == ("admin",):
        return _admin(_folder(data), database, games[1:])
    names: dict[str, str] = {}
    for game in games or shipped_games():
        short = find_game(game).stem
        if short in names:
            raise click.UsageError(f"two games are called {short}: '{names[short]}' and '{game}'")
        names[short] = game
    if who_may_create == "code" and not code:
        raise click.UsageError("'--who-may-create code' needs '--code WORD'")
    if who_may_create == "host":
        code = code or token_urlsafe(9)
        click.echo(f"code for creating tables: {code}")
    folder = _folder(data)
    options = Options(
        folder,
        names,
        load_rules,
        rule_texts,
        database,
        public_url.rstrip("/"),
        who_may_create,  # type: ignore[arg-type]  # click returns one of three words
        code,
        bot_jobs,
        _notices(public_url, smtp, mail_from, push, webhooks, private_addresses, notice_after),
        forget_after,
        asked=4.0 * rate,
        sent=float(rate),
    )
    try:
        sockets = listening(host, port)
    except OSError as failure:
        raise click.UsageError(
            f"port {port} of {host} cannot be used: {failure.strerror}; choose another with --port"
        ) from None
    found = sockets[0].getsockname()[1]
    shown = "localhost" if host in ("127.0.0.1", "0.0.0.0", "::", "::1") else host
    click.echo(
        f"open {public_url or f'http://{shown}:{found}'} in a browser; Ctrl-C stops the server"
    )
    click.echo(f"tables are kept in {folder}")
    run(options, sockets, jobs)
    return Exit.FINE


def _needs_driver(database: str) -> None:
    """Reject a database whose library is not installed, before a server starts."""
    # lazy import: other commands start without it
    from importlib.util import find_spec

    if database and not database.startswith(("sqlite:", "postgresql", "postgres:")):
        raise click.UsageError("'--database' takes postgresql://NAME:WORD@HOST/NAME")
    if database.startswith("postgres") and find_spec("psycopg") is None:
        raise click.UsageError('PostgreSQL needs psycopg: pip install ".[web,postgres]"')


def _notices(
    public: str, smtp: str, sender: str, push: str, webhooks: bool, private: bool, after: int
) -> Settings:
    """Return the settings of notices, or raise a UsageError if they cannot work together."""
    # lazy import: other commands start without it
    from urllib.parse import urlsplit

    from rulewright.web.serving.notices import Settings

    if smtp and (urlsplit(smtp).scheme not in ("smtp", "smtps") or not urlsplit(smtp).hostname):
        raise click.UsageError("'--smtp' needs an address such as smtp://NAME:WORD@HOST:587")
    if smtp and "@" not in sender:
        raise click.UsageError("'--smtp' needs '--mail-from ADDRESS', the sender of the emails")
    if (smtp or webhooks or push) and not public:
        raise click.UsageError("notices need '--public-url URL': they lead to the tables")
    if push and not public.startswith("https:") and not private:
        raise click.UsageError("'--push' works only over https: give an https '--public-url'")
    if push and not push.startswith(("mailto:", "https:")):
        raise click.UsageError("'--push' needs a contact such as mailto:you@example.org")
    return Settings(smtp, sender, webhooks, push, private, float(after))


def _folder(data: Path | None) -> Path:
    # lazy import: other commands start without it
    from rulewright.cli.folders import user_folder

    return (
        data
        or user_folder("XDG_DATA_HOME", ".local/share", "Library/Application Support") / "tables"
    )


def _admin(folder: Path, database: str, words: tuple[str, ...]) -> int:
    # lazy import: other commands start without it
    from rulewright.web.serving.admin import AdminError, admin
    from rulewright.web.serving.library import Library

    file = (folder / "tables.sqlite").resolve()
    if not database and not file.is_file():
        raise click.UsageError(f"there are no tables in '{folder}': say where they are with --data")
    try:
        address = database or f"sqlite:///{file}"
        for line in admin(
            address, words, lambda store: Library(store, folder, {}, load_rules, rule_texts)
        ):
            click.echo(line)
    except AdminError as failure:
        raise click.UsageError(str(failure)) from None
    return Exit.FINE


def load_rules(name: str) -> Game:
    """Load a game by name or path, and use programs that earlier runs have compiled."""
    # lazy import: other commands start without it
    from rulewright.dsl.loading.confinement import Reach

    return load_from(name, Reach())


def rule_texts(game: Game) -> Mapping[Path, bytes]:
    """Return the files from which the rules of a game were read, with their contents."""
    # lazy import: other commands start without it
    from rulewright.cli.programs import files_of

    return files_of(game.rules)
