"""`completion`: a script for a shell, which asks the program what may come next."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path

from microsafe.cli.console import Console
from microsafe.cli.output import add_json
from microsafe.cli.parser import is_file

SHELLS = ("bash", "zsh", "fish")
FILES = ":files"  # the shell completes names of files itself
# Options whose value is a variable, or several between commas.
_VARIABLES = (
    "keys", "weight", "household", "variable", "variables", "id", "sensitive", "ordered", "spare",
    "drop", "by", "table",
)  # fmt: skip
_BASH = """\
# microsafe: completion for bash. In ~/.bashrc:
#   source <(microsafe completion bash)
_microsafe() {
    local line word="${COMP_WORDS[COMP_CWORD]}"
    COMPREPLY=()
    while IFS= read -r line; do
        if [ "$line" = ":files" ]; then
            compopt -o filenames 2>/dev/null
            while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -f -- "$word")
        else
            COMPREPLY+=("$line")
        fi
    done < <(microsafe --complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
    if [ "${#COMPREPLY[@]}" -eq 1 ]; then
        case "${COMPREPLY[0]}" in *,*) compopt -o nospace 2>/dev/null ;; esac
    fi
}
complete -F _microsafe microsafe
"""
_ZSH = """\
#compdef microsafe
# microsafe: completion for zsh. In ~/.zshrc, after compinit:
#   source <(microsafe completion zsh)
_microsafe() {
    local line
    local -a found
    for line in "${(@f)$(microsafe --complete "${(@)words[2,$CURRENT]}" 2>/dev/null)}"; do
        if [[ "$line" == ":files" ]]; then
            _files
        elif [[ -n "$line" ]]; then
            found+=("$line")
        fi
    done
    (( ${#found} )) && compadd -- "${found[@]}"
}
compdef _microsafe microsafe
"""
_FISH = """\
# microsafe: completion for fish. Save it as
#   ~/.config/fish/completions/microsafe.fish
function __microsafe
    set -l words (commandline -opc) (commandline -ct)
    for line in (microsafe --complete $words[2..-1] 2>/dev/null)
        if test "$line" = ":files"
            __fish_complete_path (commandline -ct)
        else
            echo $line
        end
    end
end
complete -c microsafe -f -a '(__microsafe)'
"""
SCRIPTS = {"bash": _BASH, "zsh": _ZSH, "fish": _FISH}


def add_options(command: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    command.set_defaults(run=run)
    command.add_argument("shell", choices=SHELLS, metavar="SHELL", help="bash, zsh or fish")
    add_json(command)


def run(chosen: argparse.Namespace, console: Console) -> int:
    """Print the script of a shell."""
    script = SCRIPTS[chosen.shell]
    if chosen.json:
        console.print_json({"shell": chosen.shell, "script": script})
    else:
        console.say(script.rstrip("\n"))
    return 0


def complete(parser: argparse.ArgumentParser, words: Sequence[str]) -> list[str]:
    """Return what the last of some words may become.

    Args:
        parser: Of the whole command line.
        words: After the name of the program; the last one is being typed, and may be empty.
    """
    *before, current = words or [""]
    command, rest = _find_command(parser, before)
    options = command._option_string_actions
    asked = options.get(rest[-1]) if rest else None
    if asked is not None and asked.nargs != 0:
        return list(_complete_value(asked, current, rest))
    if current.startswith("-"):
        names = [name for name in options if name.startswith("--") or current == "-"]
        return sorted(name for name in names if name.startswith(current))
    return [
        each
        for action in command._actions
        if not action.option_strings
        for each in _complete_value(action, current, rest)
    ]


def _find_command(
    parser: argparse.ArgumentParser, words: Sequence[str]
) -> tuple[argparse.ArgumentParser, Sequence[str]]:
    """The command that words name, and those behind its name."""
    for place, word in enumerate(words):
        for action in parser._actions:
            if isinstance(action, argparse._SubParsersAction) and word in action.choices:
                return _find_command(action.choices[word], words[place + 1 :])
    return parser, words


def _complete_value(action: argparse.Action, current: str, words: Sequence[str]) -> Iterator[str]:
    known = action.choices or getattr(action, "words", ())
    if known:
        yield from (word for word in map(str, known) if word.startswith(current))
    elif action.option_strings and action.dest in _VARIABLES:
        head, comma, last = current.rpartition(",")
        used = head.split(",")
        for name in _list_variables(words):
            if name.startswith(last) and name not in used and name.isprintable():
                yield f"{head}{comma}{name}"
    elif is_file(action):
        yield FILES


def _list_variables(words: Sequence[str]) -> Sequence[str]:
    """Names of the variables of the first file among some words; none if it cannot be read."""
    path = next((path for word in words if (path := Path(word)).is_file()), None)
    if path is None:
        return ()
    from microsafe.io import read

    try:
        return read(path).schema.names
    except Exception:  # whatever it is, the command itself will say it
        return ()
