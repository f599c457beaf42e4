"""What the program says to people, read from its source: sentences with `{}` for their blanks."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cache
from itertools import product
from pathlib import Path
from types import MappingProxyType

ROOT = Path(__file__).resolve().parents[3]
BLANK = "{}"
_MOST_WAYS = 16
"""A sentence of more ways than this is no sentence but a table."""
_Function = ast.FunctionDef | ast.AsyncFunctionDef
_NOTHING: Mapping[str, list[ast.expr]] = MappingProxyType({})
_CODE = re.compile(r"[a-z]+(?:-[a-z]+)+")


@cache
def parsed(path: Path) -> ast.Module:
    """Returns a module of the program."""
    return ast.parse(path.read_text(encoding="utf-8"))


def modules(*patterns: str) -> list[Path]:
    """Returns modules of the program, none of the terminal's."""
    found = {path for pattern in patterns for path in ROOT.glob(pattern)}
    return sorted(path for path in found if "commands" not in path.parts)


def ways_of(node: ast.expr, known: Mapping[str, list[ast.expr]] = _NOTHING) -> list[str]:
    """Returns all texts that an expression may come to, `{}` for what is not known.

    Args:
        node: The expression.
        known: What was assigned to names before, where these are texts.
    """
    match node:
        case ast.Constant(value=str(text)):
            ways = [text]
        case ast.Name(id=name) if name in known:
            others = {word: texts for word, texts in known.items() if word != name}
            ways = [way for each in known[name] for way in ways_of(each, others)]
        case ast.JoinedStr(values=parts):
            ways = _joined([ways_of(part, known) for part in parts])
        case ast.FormattedValue(value=value, conversion=-1):
            ways = ways_of(value, known)
        case ast.IfExp(body=one, orelse=other):
            ways = [*ways_of(one, known), *ways_of(other, known)]
        case ast.BinOp(op=ast.Add(), left=left, right=right):
            ways = _joined([ways_of(left, known), ways_of(right, known)])
        case _:
            ways = [BLANK]
    return ways


def _joined(pieces: list[list[str]]) -> list[str]:
    return ["".join(each) for each in product(*pieces)][:_MOST_WAYS]


def texts_of(function: _Function) -> dict[str, list[ast.expr]]:
    """Returns what is assigned to names in a function, where that is text."""
    found: dict[str, list[ast.expr]] = {}
    for each in ast.walk(function):
        if isinstance(each, ast.Assign) and isinstance(each.targets[0], ast.Name):
            found.setdefault(each.targets[0].id, []).append(each.value)
    known = {
        name: [value for value in values if set(ways_of(value)) != {BLANK}]
        for name, values in found.items()
    }
    return {name: values for name, values in known.items() if values}


def spoken(text: str) -> str:
    """Returns a sentence without a place before it, and with one blank where several meet."""
    text = re.sub(r"^(?:\{\}: )+", "", text)
    return re.sub(r"(?:\{\})+", BLANK, text)


def is_sentence(text: str) -> bool:
    """Whether a text is said to people: some words of it are known."""
    return len(re.findall(r"[A-Za-z']{2,}", text)) > 1 and " " in text.strip()


def functions_of(path: Path) -> Iterator[_Function]:
    """Yields every function of a module."""
    for node in ast.walk(parsed(path)):
        if isinstance(node, _Function):
            yield node


def sentences_in(function: _Function) -> set[str]:
    """Returns the sentences in a function, its documentation and what it refuses left out."""
    known = texts_of(function)
    silent = {id(each) for node in ast.walk(function) for each in _silent_parts(node, known)}
    found: set[str] = set()
    waiting: list[ast.AST] = [*function.body]
    while waiting:
        node = waiting.pop()
        if id(node) in silent:
            continue
        if isinstance(node, ast.JoinedStr | ast.BinOp | ast.Constant):
            said = [way for way in ways_of(node, known) if is_sentence(way)]
            found |= set(map(spoken, said))
            if said:
                continue
        waiting += ast.iter_child_nodes(node)
    return found


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def _silent_parts(node: ast.AST, known: Mapping[str, list[ast.expr]]) -> Iterator[ast.AST]:
    if isinstance(node, ast.Raise) or (isinstance(node, ast.Expr) and _is_text(node.value)):
        yield node
    # A part of a sentence is told with it.
    if isinstance(node, ast.FormattedValue) and isinstance(node.value, ast.Name):
        yield from known.get(node.value.id, ())


def names_in(node: ast.AST) -> set[str]:
    """Returns every name, attribute and keyword in a part of the program, and short texts."""
    names: set[str] = set()
    for each in ast.walk(node):
        match each:
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.arg(arg=name):
                names.add(name)
            case ast.Constant(value=str(text)):
                names.add(text)
    return names


def doubting(paths: Iterable[Path]) -> Iterator[_Function]:
    """Yields the functions that have to do with doubts, and those that word them for them."""
    for path in paths:
        named = {each.name: each for each in functions_of(path)}
        waiting = [
            each
            for each in named.values()
            if any("doubt" in name for name in {each.name, *names_in(each)} if " " not in name)
        ]
        done: set[str] = set()
        while waiting:
            function = waiting.pop()
            if function.name in done:
                continue
            done.add(function.name)
            yield function
            called = names_in(function) & named.keys()
            waiting += [named[name] for name in called if _gives_text(named[name])]


def _gives_text(function: _Function) -> bool:
    return function.returns is not None and "str" in names_in(function.returns)


def function_of(module: str, name: str) -> _Function:
    """Returns a function of a module."""
    return next(each for each in functions_of(ROOT / module) if each.name == name)


def constants_in(*patterns: str) -> set[str]:
    """Returns the sentences among what modules set once for all, tables of words included."""
    return {
        each.value
        for path in modules(*patterns)
        for node in parsed(path).body
        if isinstance(node, ast.Assign)
        for each in ast.walk(node.value)
        if isinstance(each, ast.Constant) and isinstance(each.value, str)
        if is_sentence(each.value)
    }


def assigned(paths: Iterable[Path], names: Collection[str]) -> Iterator[str]:
    """Yields what is said where attributes of some names are set."""
    for path in paths:
        for node in ast.walk(parsed(path)):
            if isinstance(node, ast.Assign) and _name_of(node.targets[0]) in names:
                yield from map(spoken, ways_of(node.value))


def raised(paths: Iterable[Path], errors: Mapping[str, int]) -> Iterator[str]:
    """Yields what is said where some errors are made: by name, and which argument says it."""
    for path in paths:
        for function in functions_of(path):
            for call in ast.walk(function):
                if isinstance(call, ast.Call) and (name := _name_of(call.func)) in errors:
                    known = {**_set_once(parsed(path)), **texts_of(function)}
                    for argument in call.args[errors[name] :][:1]:
                        yield from map(spoken, ways_of(argument, known))


def notice_codes(paths: Iterable[Path]) -> set[str]:
    """Returns the code of every notice, wherever and however it is made."""
    trees = [parsed(path) for path in paths]
    takers = {"Notice", "NoticeLine", *_takers(trees)}
    found: set[str] = set()
    for tree in trees:
        set_once = _set_once(tree)
        for node in ast.walk(tree):
            match node:
                case ast.Call(func=func, args=args) if _takes_code(_name_of(func), takers):
                    given = [*args, *(each.value for each in node.keywords)]
                    found |= {way for each in given for way in ways_of(each, set_once)}
                case ast.Dict(keys=keys, values=values):
                    told = dict(zip(map(_key, keys), values, strict=True))
                    if "code" in told and "notice" in ways_of(told.get("type", told["code"])):
                        found |= set(ways_of(told["code"], set_once))
    return {code for code in found if _CODE.fullmatch(code)}


def _set_once(tree: ast.Module) -> dict[str, list[ast.expr]]:
    return {
        target.id: [node.value]
        for node in tree.body
        if isinstance(node, ast.Assign) and _is_text(node.value)
        for target in node.targets
        if isinstance(target, ast.Name)
    }


def _takes_code(name: str, takers: set[str]) -> bool:
    return name in takers or name.endswith(("notice", "notices"))


def _key(node: ast.expr | None) -> str:
    return str(node.value) if isinstance(node, ast.Constant) else ""


def _takers(trees: Iterable[ast.Module]) -> Iterator[str]:
    """Yields functions that take the code of a notice."""
    for tree in trees:
        for node in ast.walk(tree):
            if isinstance(node, _Function) and any(
                each.arg == "code" and "str" in names_in(each) for each in node.args.args
            ):
                yield node.name


def _name_of(function: ast.expr) -> str:
    match function:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case _:
            return ""
