"""PTX text to `model.Module`. Grammar: PTX ISA 9.0, "Syntax", "Directives"; what is unknown is an error."""

from __future__ import annotations

from typing import cast

from migrate.oracle.ptx.model import (
    Address,
    Arguments,
    Both,
    Function,
    Immediate,
    Instruction,
    Label,
    Location,
    Module,
    Operand,
    Place,
    PtxError,
    Register,
    Registers,
    Scope,
    Space,
    Statement,
    Symbol,
    Table,
    Variable,
    Vector,
    type_bytes,
)
from migrate.oracle.ptx.tokens import Token, integer_of, literal_of, tokens_of

_SPACES = frozenset(("global", "const", "shared", "local", "param"))
_LINKAGE = frozenset((".visible", ".extern", ".weak", ".common"))
# Directives that say how to schedule, not what to compute.
_TUNING = frozenset((".maxntid", ".minnctapersm", ".maxnreg", ".reqntid", ".maxnctapersm", ".noreturn", ".pragma",
                     ".explicitcluster", ".reqnctapercluster", ".maxclusterrank", ".unified", ".abi_preserve",
                     ".abi_preserve_control"))  # fmt: skip


def parse(text: str) -> Module:
    """The module of a PTX text. Raises PtxError with the line of what is not understood."""
    return _Parser(tokens_of(text)).module()


class _Parser:
    """A cursor over the tokens; every method leaves it behind what it has read."""

    def __init__(self, tokens: list[Token]):
        self.tokens = tokens
        self.at = 0
        self.last = Token("end", "", tokens[-1].line if tokens else 1, 0, 0)

    def peek(self, ahead: int = 0) -> Token:
        return self.tokens[self.at + ahead] if self.at + ahead < len(self.tokens) else self.last

    def next(self) -> Token:
        token = self.peek()
        self.at += 1
        return token

    def accept(self, text: str) -> bool:
        if self.peek().text == text:
            self.at += 1
            return True
        return False

    def expect(self, text: str) -> Token:
        token = self.next()
        if token.text != text:
            raise PtxError(f"{text!r} expected before {token.text!r}", token.line)
        return token

    def name(self) -> str:
        token = self.next()
        if token.kind != "word":
            raise PtxError(f"a name expected before {token.text!r}", token.line)
        return token.text

    def integer(self) -> int:
        sign = -1 if self.accept("-") else 1
        token = self.next()
        if token.kind != "number" or token.text[:2].lower() in ("0f", "0d") or "." in token.text:
            raise PtxError(f"an integer expected before {token.text!r}", token.line)
        return sign * integer_of(token.text)

    def skip_to(self, text: str) -> None:
        while self.next().text != text:
            if self.at >= len(self.tokens):
                raise PtxError(f"{text!r} is missing", self.last.line)

    # Module level

    def module(self) -> Module:
        module = Module()
        while self.at < len(self.tokens):
            self.top_level(module)
        return module

    def top_level(self, module: Module) -> None:
        token = self.peek()
        linkage: set[str] = set()
        while self.peek().text in _LINKAGE:
            linkage.add(self.next().text)
        word = self.peek().text
        if word == ".version":
            self.next()
            self.next()
        elif word == ".address_size":
            self.next()
            if self.integer() != 64:
                raise PtxError("only 64-bit addresses are understood", token.line)
        elif word == ".target":
            self.next()
            module.target = self.name()
            while self.accept(","):
                self.next()
        elif word == ".file":
            self.next()
            number = self.integer()
            module.files[number] = self.next().text[1:-1]
            while self.accept(","):
                self.next()
        elif word == ".section":
            self.skip_to("{")
            self.skip_to("}")
        elif word in (".entry", ".func"):
            function = self.function()
            if function.body is not None or function.name not in module.functions:
                module.functions[function.name] = function
        elif word in _TUNING:
            self.skip_to(";")
        elif word.startswith(".") and word[1:] in _SPACES:
            for variable in self.variables(".extern" in linkage):
                module.variables[variable.name] = variable
        elif word == ";":
            self.next()
        else:
            raise PtxError(f"unknown directive {word!r}", token.line)

    def function(self) -> Function:
        line = self.peek().line
        entry = self.next().text == ".entry"
        while self.peek().text in _TUNING:
            self.next()
        results = self.parameters() if self.peek().text == "(" else ()
        name = self.name()
        parameters = self.parameters() if self.peek().text == "(" else ()
        while self.peek().text in _TUNING:
            self.next()
            while self.peek().kind in ("number", "text") or self.peek().text == ",":
                self.next()
        if self.accept(";"):
            return Function(name, entry, parameters, results, None, line)
        self.expect("{")
        body: list[Statement] = []
        depth = 1
        while depth:
            if self.at >= len(self.tokens):
                raise PtxError(f"the body of {name} does not end", line)
            if self.accept("{"):
                depth += 1
                body.append(Scope(True))
            elif self.accept("}"):
                depth -= 1
                if depth:
                    body.append(Scope(False))
            else:
                self.statement(body)
        return Function(name, entry, parameters, results, tuple(body), line)

    def parameters(self) -> tuple[Variable, ...]:
        self.expect("(")
        found: list[Variable] = []
        while not self.accept(")"):
            line = self.peek().line
            word = self.next().text
            if word not in (".param", ".reg"):
                raise PtxError(f".param expected before {word!r}", line)
            found.append(self.variable("param", False, line))
            self.accept(",")
        return tuple(found)

    # Variables

    def variables(self, external: bool) -> list[Variable]:
        line = self.peek().line
        space = cast(Space, self.next().text[1:])
        found = [self.variable(space, external, line)]
        while self.accept(","):
            found.append(self.variable(space, external, line, found[0].type))
        self.expect(";")
        return found

    def variable(self, space: Space, external: bool, line: int, kind: str = "") -> Variable:
        alignment, vector = 0, 1
        while self.peek().kind == "dot":
            word = self.next().text[1:]
            if word == "align":
                alignment = self.integer()
            elif word in ("v2", "v4", "v8"):
                vector = int(word[1:])
            elif word in ("ptr", "managed", "attribute", *_SPACES):
                if word == "attribute":
                    self.skip_to(")")
            else:
                kind = word
        try:
            element = type_bytes(kind)
        except PtxError as error:
            raise PtxError(error.message, line) from None
        name = self.name()
        count = vector
        while self.accept("["):
            count = 0 if self.peek().text == "]" else count * self.integer()
            self.expect("]")
        values: tuple[int | Symbol, ...] = ()
        if self.accept("="):
            values = tuple(self.initial())
        return Variable(space, kind, name, count, max(alignment, element), values, external, line)

    def initial(self) -> list[int | Symbol]:
        if self.accept("{"):
            values: list[int | Symbol] = []
            while not self.accept("}"):
                values += self.initial()
                self.accept(",")
            return values
        if self.peek().text == "generic":
            self.next()
            self.expect("(")
            name = self.name()
            self.expect(")")
            return [Symbol(name, self.offset())]
        if self.peek().kind == "word":
            return [Symbol(self.name(), self.offset())]
        operand = self.operand()
        if not isinstance(operand, Immediate):
            raise PtxError("an initial value is not a constant", self.peek().line)
        return [operand.value]

    def offset(self) -> int:
        total = 0
        while self.peek().text in ("+", "-"):
            sign = 1 if self.next().text == "+" else -1
            total += sign * self.integer()
        return total

    # Bodies

    def statement(self, body: list[Statement]) -> None:
        token = self.peek()
        if self.accept(";"):
            return
        if token.kind == "word" and self.peek(1).text == ":":
            self.at += 2
            if self.peek().text == ".branchtargets":
                self.next()
                body.append(Table(token.text, tuple(self.names())))
            elif self.peek().text == ".callprototype":
                self.skip_to(";")
            else:
                body.append(Label(token.text))
            return
        if token.kind == "dot":
            self.directive(body)
            return
        body.append(self.instruction())

    def names(self) -> list[str]:
        found = [self.name()]
        while self.accept(","):
            found.append(self.name())
        self.expect(";")
        return found

    def directive(self, body: list[Statement]) -> None:
        token = self.peek()
        word = token.text
        if word == ".loc":
            body.append(self.location())
        elif word == ".reg":
            self.next()
            while self.peek().text in (".v2", ".v4"):
                raise PtxError("vector registers are not supported", token.line)
            kind = self.next().text[1:]
            names: list[str] = []
            while True:
                name = self.name()
                if self.accept("<"):
                    names += [f"{name}{i}" for i in range(self.integer())]
                    self.expect(">")
                else:
                    names.append(name)
                if not self.accept(","):
                    break
            self.expect(";")
            body.append(Registers(kind, tuple(names)))
        elif word in _TUNING:
            self.skip_to(";")
        elif word[1:] in _SPACES:
            body += self.variables(False)
        else:
            raise PtxError(f"unknown directive {word!r}", token.line)

    def location(self) -> Location:
        self.next()
        place = Place(self.integer(), self.integer(), self.integer())
        inlined = None
        while self.accept(","):
            what = self.name()
            if what == "function_name":
                self.name()
                self.offset()
            elif what == "inlined_at":
                inlined = Place(self.integer(), self.integer(), self.integer())
            else:
                raise PtxError(f"unknown attribute {what!r} of .loc", self.peek().line)
        return Location(place, inlined)

    def instruction(self) -> Instruction:
        guard = None
        if self.accept("@"):
            negated = self.accept("!")
            guard = Register(self.name(), negated=negated)
        token = self.next()
        if token.kind != "word":
            raise PtxError(f"an instruction expected before {token.text!r}", token.line)
        modifiers: list[str] = []
        end = token.end
        while self.peek().kind == "dot" and self.peek().start == end:
            end = self.peek().end
            modifiers.append(self.next().text[1:])
        operands: list[Operand | None] = []
        while not self.accept(";"):
            if self.at >= len(self.tokens):
                raise PtxError(f"{token.text} does not end", token.line)
            operands.append(self.operand())
            if not self.accept(",") and self.peek().text != ";":
                raise PtxError(f"unexpected {self.peek().text!r} after an operand of {token.text}", token.line)
        return Instruction(token.text, tuple(modifiers), tuple(operands), token.line, guard)

    def operand(self) -> Operand | None:
        first = self.single()
        if self.accept("|"):
            return Both(first, self.single())
        return first

    def single(self) -> Operand | None:
        token = self.next()
        if token.text == "{":
            items: list[Operand | None] = []
            while not self.accept("}"):
                items.append(self.single())
                self.accept(",")
            return Vector(tuple(items))
        if token.text == "(":
            arguments: list[Operand] = []
            while not self.accept(")"):
                item = self.single()
                if item is None:
                    raise PtxError("`_` is no argument", token.line)
                arguments.append(item)
                self.accept(",")
            return Arguments(tuple(arguments))
        if token.text == "[":
            return self.address()
        if token.text == "!":
            return Register(self.name(), negated=True)
        if token.text in ("-", "~") and self.peek().kind == "number":
            value = literal_of(self.next())
            if value.width:
                return Immediate(value.value ^ (1 << (value.width - 1)), value.width)
            return Immediate(-value.value if token.text == "-" else ~value.value)
        if token.kind == "number":
            return literal_of(token)
        if token.kind == "word":
            return self.named(token)
        raise PtxError(f"an operand expected before {token.text!r}", token.line)

    def named(self, token: Token) -> Operand | None:
        if token.text == "_":
            return None
        if token.text.startswith("%"):
            component = ""
            if self.peek().kind == "dot" and self.peek().start == token.end:
                component = self.next().text[1:]
            return Register(token.text, component)
        return Symbol(token.text, self.offset())

    def address(self) -> Address:
        token = self.peek()
        if token.kind == "number" or token.text == "-":
            base, offset = None, self.integer()
        else:
            name = self.name()
            base = Register(name) if name.startswith("%") else Symbol(name)
            offset = self.offset()
        self.expect("]")
        return Address(base, offset)
