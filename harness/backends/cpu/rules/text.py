"""A source as the compiler proper sees it, as far as its text tells: macros replaced, dead branches
gone. ``rules.py`` reads this instead of the raw tokens.

Decisions:

- A token from a macro keeps the place where the macro was used, so that messages point there.
- Of an ``#if`` that the text doesn't settle the first branch is kept, marked unsure, so that braces
  still pair up. What the other branches declare is *doubtful*: nothing may be said about it.
- A macro that is defined under such a condition, or beyond a small preprocessor, is *opaque*: its
  use becomes the token ``UNKNOWN``, its arguments unsure.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from harness.source import lexer
from harness.source.conditions import Certainty, certainties
from harness.source.lexer import Token
from harness.source.scopes import closing_of

UNKNOWN = "@"
_MAX_DEPTH = 24
_MAX_TOKENS = 200_000
_OPENING = frozenset(("if", "ifdef", "ifndef"))
_NEXT_BRANCH = frozenset(("elif", "else", "elifdef", "elifndef"))
_CLOSERS = {")": "(", "]": "[", "}": "{"}


@dataclass(frozen=True)
class Macro:
    """``parameters`` is None for a macro that looks like an object."""

    parameters: tuple[str, ...] | None
    body: tuple[Token, ...]


# None stands for an opaque macro.
Macros = Mapping[str, "Macro | None"]


@dataclass(frozen=True)
class Stream:
    """Tokens without directives; ``sure[i]`` says whether ``tokens[i]`` is certainly compiled."""

    tokens: tuple[Token, ...]
    sure: tuple[bool, ...]
    doubtful: frozenset[str]

    @cached_property
    def partner(self) -> tuple[int, ...]:
        """For each bracket the index of its partner, -1 for other tokens; empty where the brackets
        don't pair up."""
        partner = [-1] * len(self.tokens)
        stack: list[int] = []
        for index, token in enumerate(self.tokens):
            word = token.text if token.kind == lexer.PUNCT else ""
            if word in ("(", "[", "{"):
                stack.append(index)
            elif word in _CLOSERS:
                if not stack or self.tokens[stack[-1]].text != _CLOSERS[word]:
                    return ()
                partner[index] = stack[-1]
                partner[stack.pop()] = index
        return () if stack else tuple(partner)

    def text(self, index: int) -> str:
        """The text of a token, empty outside the stream."""
        return self.tokens[index].text if 0 <= index < len(self.tokens) else ""

    def kind(self, index: int) -> str:
        return self.tokens[index].kind if 0 <= index < len(self.tokens) else ""

    def is_word(self, index: int) -> bool:
        return self.kind(index) == lexer.IDENTIFIER

    def angle(self, opening: int) -> int:
        """The ``>`` that closes the template arguments which ``<`` at ``opening`` begins; -1 if it
        can't begin any."""
        depth = 0
        index = opening
        while index < len(self.tokens):
            word = self.text(index)
            if word == "<":
                depth += 1
            elif word == ">":
                depth -= 1
                if not depth:
                    return index
            elif word in ("(", "["):
                index = self.partner[index]
            elif word in ("{", "}", ")", "]", ";", "<<<", "&&", "||", UNKNOWN):
                return -1
            index += 1
        return -1

    def parts(self, begin: int, end: int) -> list[tuple[int, int]]:
        """The ranges between the commas of ``[begin, end)``, those in brackets not counted."""
        found: list[tuple[int, int]] = []
        start = index = begin
        while index < end:
            word = self.text(index)
            if word in ("(", "[", "{"):
                index = self.partner[index]
            elif word == "<" and self.is_word(index - 1) and 0 < self.angle(index) < end:
                index = self.angle(index)
            elif word == ",":
                found.append((start, index))
                start = index + 1
            index += 1
        return [*found, (start, end)] if start < end or found else []


def expand(
    significant: Sequence[Token], known: Macros, answers: Sequence[Certainty] | None = None
) -> Stream:
    """The stream of a file's significant tokens. ``known`` are macros from other files, ``answers``
    the tokens' certainties if they are known."""
    reader = _Reader(significant, known, answers or certainties(significant))
    reader.read()
    sure = tuple(answer for _, answer in reader.found)
    return Stream(tuple(token for token, _ in reader.found), sure, frozenset(reader.doubtful))


def macros_of(
    significant: Sequence[Token], answers: Sequence[Certainty]
) -> dict[str, Macro | None]:
    """All macros that a file defines, opaque where it defines one twice or on a condition."""
    found: dict[str, Macro | None] = {}
    for index, token in enumerate(significant):
        if token.kind == lexer.PREPROCESSOR and token.directive in ("define", "undef"):
            line = _line(significant, index)
            if not line or answers[index] is Certainty.NO:
                continue
            plain = token.directive == "define" and answers[index] is Certainty.YES
            fresh = line[0].text not in found
            found[line[0].text] = _macro(line) if plain and fresh else None
    return found


def _line(tokens: Sequence[Token], index: int) -> list[Token]:
    """What follows a directive's name on its line."""
    end = index + 1
    while end < len(tokens) and tokens[end].directive and tokens[end].kind != lexer.PREPROCESSOR:
        if tokens[end].kind == lexer.INCLUDE:
            break
        end += 1
    return list(tokens[index + 1 : end])


def _macro(line: Sequence[Token]) -> Macro | None:
    body = line[1:]
    if not body or body[0].text != "(" or body[0].start != line[0].end:
        return Macro(None, tuple(body))
    closing = closing_of(line, 1)
    if closing < 0:
        return None
    words = [token.text for token in line[2:closing]]
    names = tuple("__VA_ARGS__" if word == "..." else word for word in words if word != ",")
    named_rest = "..." in words and len(words) > 1 and words[-2] != ","
    if named_rest or any(token.text == "__VA_OPT__" for token in line):
        return None
    return Macro(names, tuple(line[closing + 1 :]))


class _Reader:
    """One pass over a file: conditions, definitions, replacement."""

    def __init__(
        self, significant: Sequence[Token], known: Macros, answers: Sequence[Certainty]
    ) -> None:
        self._tokens = significant
        self._answers = answers
        self._macros: dict[str, Macro | None] = dict(known)
        self.found: list[tuple[Token, bool]] = []
        self.doubtful: set[str] = set()

    def read(self) -> None:
        # For each open #if: whether it is dropped from outside, and whether an unsure branch of it
        # was kept already.
        stack: list[tuple[bool, bool]] = []
        dropped = False
        index = 0
        while index < len(self._tokens):
            token = self._tokens[index]
            answer = self._answers[index]
            if token.kind == lexer.PREPROCESSOR:
                if token.directive in _OPENING:
                    stack.append((dropped, answer is Certainty.UNSURE))
                elif token.directive in _NEXT_BRANCH and stack:
                    outside, kept = stack[-1]
                    unsure = answer is Certainty.UNSURE
                    dropped = outside or (kept and unsure)
                    stack[-1] = (outside, kept or unsure)
                elif token.directive == "endif" and stack:
                    dropped = stack.pop()[0]
                elif token.directive in ("define", "undef"):
                    self._define(index, answer)
                index += 1
            elif token.directive or answer is Certainty.NO:
                index += 1
            elif dropped:
                self._note_doubt(index)
                index += 1
            else:
                index = self._use(index)

    def _define(self, index: int, answer: Certainty) -> None:
        line = _line(self._tokens, index)
        if not line or answer is Certainty.NO:
            return
        name = line[0].text
        if answer is Certainty.UNSURE:
            self._macros[name] = None
        elif self._tokens[index].directive == "undef":
            self._macros.pop(name, None)
        else:
            self._macros[name] = _macro(line)

    def _note_doubt(self, index: int) -> None:
        token, before = self._tokens[index], self._tokens[index - 1]
        if token.kind == lexer.IDENTIFIER:
            if before.kind == lexer.IDENTIFIER or before.text in ("*", "&", ">"):
                self.doubtful.add(token.text)

    def _use(self, index: int) -> int:
        """Emit the token at ``index``, replaced if it is a macro; the index of the next one."""
        token = self._tokens[index]
        sure = self._answers[index] is Certainty.YES
        if token.kind != lexer.IDENTIFIER or token.text not in self._macros:
            self.found.append((token, sure))
            return index + 1
        macro = self._macros[token.text]
        closing = self._closing(index + 1)
        if macro is not None and macro.parameters is not None and closing < 0:
            self.found.append((token, sure))  # the name alone is no use
            return index + 1
        takes_arguments = macro is None or macro.parameters is not None
        end = closing + 1 if takes_arguments and closing > 0 else index + 1
        words = None
        if macro is not None and len(self.found) < _MAX_TOKENS:
            words = _Expansion(self._macros, token).expand(self._plain(index, end))
            if words and words[-1].text in self._macros and self._closing(end) > 0:
                words = None  # what follows would be its arguments
        if words is not None:
            self.found += [(word, sure) for word in words]
            return end
        unknown = token._replace(kind=lexer.OTHER, text=UNKNOWN)
        self.found += [(word, False) for word in [unknown, *self._plain(index + 1, end)]]
        return end

    def _plain(self, begin: int, end: int) -> list[Token]:
        return [token for token in self._tokens[begin:end] if not token.directive]

    def _closing(self, index: int) -> int:
        """The end of the arguments that begin at ``index``, -1 without any."""
        while index < len(self._tokens) and self._tokens[index].directive:
            index += 1
        if index == len(self._tokens) or self._tokens[index].text != "(":
            return -1
        return closing_of(self._tokens, index)


class _Expansion:
    """The replacement of one use of a macro. Every token gets the place of the use, but for those
    of arguments, which keep theirs."""

    def __init__(self, macros: Macros, use: Token) -> None:
        self._macros = macros
        self._use = use
        self._count = 0

    def expand(self, words: Sequence[Token]) -> list[Token] | None:
        """None for what is not understood."""
        try:
            return self._expand(list(words), frozenset(), 0)
        except ValueError:
            return None

    def _expand(self, words: list[Token], hidden: frozenset[str], depth: int) -> list[Token]:
        if depth > _MAX_DEPTH:
            raise ValueError("too deep")
        done: list[Token] = []
        index = 0
        while index < len(words):
            word = words[index]
            self._count += 1
            if self._count > _MAX_TOKENS:
                raise ValueError("too long")
            name = word.text
            if word.kind != lexer.IDENTIFIER or name not in self._macros or name in hidden:
                done.append(word)
                index += 1
                continue
            macro = self._macros[name]
            if macro is None:
                raise ValueError("opaque")
            arguments: list[list[Token]] | None = None
            after = index + 1
            if macro.parameters is not None:
                if after >= len(words) or words[after].text != "(":
                    done.append(word)
                    index += 1
                    continue
                closing = closing_of(words, after)
                if closing < 0:
                    raise ValueError("torn")
                arguments = _split(words[after + 1 : closing])
                after = closing + 1
            body = self._substitute(macro, arguments or [], hidden, depth)
            done += self._expand(body, hidden | {name}, depth + 1)
            index = after
        return done

    def _substitute(
        self, macro: Macro, arguments: list[list[Token]], hidden: frozenset[str], depth: int
    ) -> list[Token]:
        values = _bound(macro.parameters or (), arguments)
        done: list[Token] = []
        body = macro.body
        index = 0
        while index < len(body):
            token = body[index]
            pasted = index + 1 < len(body) and body[index + 1].text == "##"
            if token.text == "#" and macro.parameters is not None:
                done.append(self._placed(token, lexer.STRING, '""'))
                index += 2
            elif token.text == "##":
                following = body[index + 1] if index + 1 < len(body) else token
                right = values.get(following.text, [self._placed(following)])
                self._paste(done, right)
                index += 2
            elif token.text in values:
                raw = values[token.text]
                done += raw if pasted else self._expand(list(raw), hidden, depth + 1)
                index += 1
            else:
                done.append(self._placed(token))
                index += 1
        return done

    def _paste(self, done: list[Token], right: list[Token]) -> None:
        if not right:
            return
        if not done or done[-1].text == ",":
            done += right
            return
        text = done[-1].text + right[0].text
        kinds = [token.kind for token in lexer.tokens(text)]
        if len(kinds) != 1:
            raise ValueError("no token")
        done[-1] = self._placed(done[-1], kinds[0], text)
        done += right[1:]

    def _placed(self, token: Token, kind: str = "", text: str = "") -> Token:
        use = self._use
        return Token(kind or token.kind, text or token.text, use.start, use.line)


def _split(words: Sequence[Token]) -> list[list[Token]]:
    parts: list[list[Token]] = [[]]
    depth = 0
    for word in words:
        depth += (word.text in ("(", "[", "{")) - (word.text in (")", "]", "}"))
        if word.text == "," and depth <= 0:
            parts.append([])
        else:
            parts[-1].append(word)
    return parts


def _bound(parameters: Sequence[str], arguments: list[list[Token]]) -> dict[str, list[Token]]:
    values: dict[str, list[Token]] = {}
    for position, name in enumerate(parameters):
        if name == "__VA_ARGS__":
            rest: list[Token] = []
            for part in arguments[position:]:
                comma = Token(lexer.PUNCT, ",", part[0].start, part[0].line) if part else None
                rest += ([comma] if rest and comma else []) + part
            values[name] = rest
        elif position < len(arguments):
            values[name] = arguments[position]
        else:
            raise ValueError("arguments missing")
    return values
