"""Integer expressions over a problem's sizes: ``4*(M*N + N*K)``, ``(rows + 15) // 16``.

Shapes, counts and the reduction length of a spec are written in this small language: integers,
names, ``+ - * // %``, unary minus and plus, ``min`` and ``max``. Python's ``ast`` parses an
expression and it is walked here, never given to ``eval``. Anything else (a float, ``/``, another
call, an attribute) is refused when the spec is read, with what stands there instead.

The worker imports this module through ``model``, so ``ast`` is imported only when something is
parsed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import ast

_Evaluate = Callable[[Mapping[str, int]], int]

# A spec is a small file that people write by hand: these only stop accidents.
MAX_LENGTH = 400
MAX_DEPTH = 50


class ExprError(ValueError):
    """An expression that cannot be read or has no value. ``str(error)`` is one line."""


@dataclass(frozen=True)
class Expr:
    """A parsed expression. Equal when their texts are equal.

    ``names`` are the sizes that it uses.
    """

    text: str
    names: frozenset[str]
    _evaluate: _Evaluate = field(repr=False, compare=False)

    def evaluate(self, sizes: Mapping[str, int]) -> int:
        """The value for these sizes. Raises ExprError for a missing size or a division by zero."""
        try:
            return self._evaluate(sizes)
        except KeyError as error:
            raise ExprError(f"{self.text!r} needs the size {error.args[0]}") from None
        except ZeroDivisionError:
            raise ExprError(f"{self.text!r} divides by zero for {_listed(sizes)}") from None

    def __str__(self) -> str:
        return self.text

    def __reduce__(self) -> tuple[Callable[[str], Expr], tuple[str]]:
        return parse, (self.text,)


def parse(text: str) -> Expr:
    """Read an expression. Raises ExprError that says what is not allowed."""
    import ast
    import warnings

    if not text.strip():
        raise ExprError("an empty expression")
    if len(text) > MAX_LENGTH:
        raise ExprError(f"an expression of more than {MAX_LENGTH} characters")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # Python's advice on "1or 2" is not for this language
            tree = ast.parse(text.strip(), mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise ExprError(f"{text!r} is not an expression") from None
    names: set[str] = set()
    evaluate = _compile(tree.body, text, names, 0)
    return Expr(text.strip(), frozenset(names), evaluate)


def _compile(node: ast.expr, text: str, names: set[str], depth: int) -> _Evaluate:
    import ast

    if depth > MAX_DEPTH:
        raise ExprError(f"{text!r} is nested too deeply")
    if isinstance(node, ast.Constant):
        return _constant(node.value, text)
    if isinstance(node, ast.Name):
        name = node.id
        names.add(name)
        return lambda sizes: sizes[name]
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.USub, ast.UAdd)):
        operand = _compile(node.operand, text, names, depth + 1)
        return operand if isinstance(node.op, ast.UAdd) else lambda sizes: -operand(sizes)
    if isinstance(node, ast.BinOp):
        operate = _operators().get(type(node.op))
        if operate is None:
            hint = "; write // for a division" if isinstance(node.op, ast.Div) else ""
            raise ExprError(f"{text!r} uses an operator other than + - * // %{hint}")
        left = _compile(node.left, text, names, depth + 1)
        right = _compile(node.right, text, names, depth + 1)
        return lambda sizes: operate(left(sizes), right(sizes))
    if isinstance(node, ast.Call):
        return _call(node, text, names, depth)
    raise ExprError(f"{text!r} has something other than integers, sizes, + - * // %, min and max")


def _constant(value: object, text: str) -> _Evaluate:
    if isinstance(value, bool) or not isinstance(value, int):
        raise ExprError(f"{text!r} has {value!r} where an integer is wanted")
    return lambda _: value


def _call(node: ast.Call, text: str, names: set[str], depth: int) -> _Evaluate:
    import ast

    name = node.func.id if isinstance(node.func, ast.Name) else "something"
    if name not in ("min", "max"):
        raise ExprError(f"{text!r} calls {name}; only min and max can be called")
    if node.keywords or not node.args or any(isinstance(a, ast.Starred) for a in node.args):
        raise ExprError(f"{text!r}: {name} takes one or more expressions")
    choose: Callable[[list[int]], int] = min if name == "min" else max
    parts = [_compile(argument, text, names, depth + 1) for argument in node.args]
    return lambda sizes: choose([part(sizes) for part in parts])


@cache
def _operators() -> Mapping[type[ast.operator], Callable[[int, int], int]]:
    import ast

    return {
        ast.Add: lambda a, b: a + b,
        ast.Sub: lambda a, b: a - b,
        ast.Mult: lambda a, b: a * b,
        ast.FloorDiv: lambda a, b: a // b,
        ast.Mod: lambda a, b: a % b,
    }


def _listed(sizes: Mapping[str, int]) -> str:
    return ", ".join(f"{name}={value}" for name, value in sizes.items()) or "no sizes"
