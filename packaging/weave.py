"""Weaves many mutants into one tree, so that one build has them all, each asleep until it is switched on.

The function that a mutant changes gets both bodies, and asks which of them is meant:

    func isTaking(_ now: UInt64) -> Bool {
        if tresor_mutant_is_on(17) { outgoing != nil } else { outgoing != nil && now < lastMoved + Self.haste }
    }

Which one is on stands in a few bytes of each program, and is written into the file before a test is run: a sandboxed program
could read no file and no variable. What is no change within a function, or of one constant, cannot be woven.

Source of the idea: Untch, Offutt, Harrold, "Mutation Analysis Using Mutant Schemata", ISSTA 1993.
"""
import os
import re

SWITCH = b"TRESOR-MUTANT:"
SHIM = "CMutant"
SHIM_FILES = {
    "include/mutant.h": "#pragma once\n#include <stdbool.h>\n\nbool tresor_mutant_is_on(int number);\n",
    "mutant.c": '#include "mutant.h"\n\nstatic volatile char which[] = "' + SWITCH.decode() + '0000";\n\n'
                "bool tresor_mutant_is_on(int number) {\n    int on = 0;\n"
                f"    for (int i = {len(SWITCH)}; i < {len(SWITCH) + 4}; i++) {{ on = on * 10 + (which[i] - '0'); }}\n"
                "    return on == number;\n}\n",
}

MODIFIERS = (r"(?:@\w+(?:\([^)]*\))?|public|package|private|internal|fileprivate|open|static|class|final|override|mutating|nonmutating"
             r"|consuming|borrowing|nonisolated(?:\(\w+\))?|convenience|required|lazy|unsafe|(?:private|package|fileprivate)\(set\))")
HAS_BODY = re.compile(rf"^\s*(?:{MODIFIERS}\s+)*(?:func\b|init\b|deinit\b|subscript\b|var\s+\w+\s*:|get\b|set\b|didSet\b|willSet\b)")
CONSTANT = re.compile(rf"^(\s*(?:{MODIFIERS}\s+)*(?:let|var)\s+\w+(?:\s*:[^={{]+)?\s+=\s+)(\S.*)$")


class NotWoven(Exception):
    """The change does not lie within one function or one constant."""


def indent(line):
    return len(line) - len(line.lstrip(" "))


def changes(diff):
    """What a diff changes: of each file the first line, the lines that go, and those that come; what both begin or end with is cut."""
    found, path, hunk = [], None, None
    for line in diff.split("\n"):
        if line.startswith("+++ b/"):
            path = line[6:]
        elif line.startswith("@@"):
            first = int(re.match(r"@@ -(\d+)", line).group(1)) - 1
            hunk = (path, first, [], [])
            found.append(hunk)
        elif hunk and line[:1] in (" ", "-", "+") and not line.startswith("--- a/"):
            if line[0] in " -":
                hunk[2].append(line[1:])
            if line[0] in " +":
                hunk[3].append(line[1:])
    return found


def located(lines, hunk):
    """The hunk's place in a file, by its lines: the nearest to its number, as patch(1) looks for it. Without what is not changed."""
    path, first, old, new = hunk
    places = [at for at in range(len(lines) - len(old) + 1) if lines[at:at + len(old)] == old]
    if not places:
        raise NotWoven("it does not apply")
    at = min(places, key=lambda place: abs(place - first))
    begin = 0
    while begin < min(len(old), len(new)) and old[begin] == new[begin]:
        begin += 1
    end = 0
    while end < min(len(old), len(new)) - begin and old[-1 - end] == new[-1 - end]:
        end += 1
    return at + begin, at + len(old) - end, new[begin:len(new) - end]


def one_line_body(line):
    """Where the body of `func name() { body }` begins and ends, or None."""
    if not HAS_BODY.match(line) or not line.rstrip().endswith("}"):
        return None
    end, depth = line.rstrip().rindex("}"), 0
    for at in range(end, -1, -1):
        depth += {"}": 1, "{": -1}.get(line[at], 0)
        if depth == 0:
            return at + 1, end
    return None


def with_return(body):
    """A body whose one expression is what it returns says so: beside a longer one it has to."""
    code = [line for line in body if line.strip() and not line.strip().startswith("//")]
    if not code or re.match(r"\s*(return|throw|let|var|guard|if|switch|for|while|defer|do|repeat|#|@|func)\b", code[0]):
        return body
    if any(indent(line) <= indent(code[0]) and not re.match(r"\s*[\])}]", line) for line in code[1:]):
        return body
    at = body.index(code[0])
    return [*body[:at], "return " + body[at].lstrip(), *body[at + 1:]]


class Region:
    """A part of a file that is written once more for each mutant in it."""

    def __init__(self, first, end, kind):
        self.first, self.end, self.kind = first, end, kind
        self.returns = False
        self.versions = {}

    def __contains__(self, place):
        return self.first <= place[0] and place[1] <= self.end


class Source:
    """One file with the mutants in it."""

    def __init__(self, text):
        self.lines = text.split("\n")
        self.bodies = list(self.blocks())
        self.edits = {}

    def blocks(self):
        """The lines between the braces of each function, initializer and accessor."""
        for opener, line in enumerate(self.lines):
            if not line.endswith("{"):
                continue
            depth = indent(line)
            head = opener
            while head and re.match(r"\s*(\)|where\b|\{|->)", self.lines[head]) or indent(self.lines[head]) > depth:
                head -= 1
                while head and (not self.lines[head].strip() or indent(self.lines[head]) > depth):
                    head -= 1
            if not HAS_BODY.match(self.lines[head]):
                continue
            for end in range(opener + 1, len(self.lines)):
                if self.lines[end].startswith(" " * depth + "}"):
                    body = Region(opener + 1, end, "body")
                    text = " ".join(self.lines[head:opener + 1])
                    body.returns = bool(re.search(r"\bvar\b|\bget\b|\) .*->", text)) and "-> Never" not in text
                    yield body
                    break

    def end_of_statement(self, first):
        """The line behind a statement: brackets are closed, and what follows does not go on with it."""
        depth = 0
        for at in range(first, len(self.lines)):
            depth += sum({"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}.get(sign, 0) for sign in self.lines[at])
            following = self.lines[at + 1].strip() if at + 1 < len(self.lines) else ""
            if depth <= 0 and not re.match(r"[+.?:&|*/-](?!/)", following):
                return at + 1
        return len(self.lines)

    def place(self, number, hunk):
        self.edits.setdefault(number, []).append(located(self.lines, hunk))

    def region(self, edit, new):
        """The smallest part that holds an edit and can be written twice."""
        first, end, _ = edit
        if end == first + 1 and len(new) == 1:
            if (old_body := one_line_body(self.lines[first])) and (new_body := one_line_body(new[0])):
                if self.lines[first][:old_body[0]] == new[0][:new_body[0]]:
                    return Region(first, end, "line")
        around = [body for body in self.bodies if edit in body]
        if around:
            return max(around, key=lambda body: body.first)
        if end == first + 1 and len(new) == 1:
            old, changed = CONSTANT.match(self.lines[first]), CONSTANT.match(new[0])
            if old and changed and old.group(1) == changed.group(1) and old.group(2)[-1] not in "[({":
                return Region(first, end, "constant")
        # A constant of several lines.
        for opener in range(first, max(first - 40, -1), -1):
            if CONSTANT.match(self.lines[opener]) and first > opener and end <= (close := self.end_of_statement(opener)):
                return Region(opener, close, "constant")
        raise NotWoven("it changes more than a body or a constant")

    def regions(self):
        """All regions with the versions that mutants give them; where one lies in another, the outer one is taken for both."""
        found = {}
        for number, edits in self.edits.items():
            for edit in edits:
                region = self.region(edit, edit[2])
                found.setdefault((region.first, region.end), region)
        outer = [region for region in found.values()
                 if not any(other is not region and (region.first, region.end) in other for other in found.values())]
        for number, edits in self.edits.items():
            for region in outer:
                inside = [edit for edit in edits if edit in region]
                if not inside:
                    continue
                text = self.lines[region.first:region.end]
                for first, end, new in sorted(inside, reverse=True):
                    text[first - region.first:end - region.first] = new
                region.versions[number] = text
        return sorted(outer, key=lambda region: region.first)

    def woven(self):
        """The text with all versions, and which mutant each of its lines belongs to: one, or those of the region."""
        lines, owners, at = [], [], 0

        def put(texts, owner=()):
            lines.extend(texts)
            owners.extend([tuple(owner)] * len(texts))

        for region in self.regions():
            put(self.lines[at:region.first])
            old, everyone = self.lines[region.first:region.end], list(region.versions)
            if region.kind == "body":
                for position, (number, text) in enumerate(region.versions.items()):
                    put([("} else " if position else "") + f"if tresor_mutant_is_on({number}) {{"], everyone)
                    put(with_return(text) if region.returns else text, [number])
                put(["} else {"], everyone)
                put(with_return(old) if region.returns else old, everyone)
                put(["}"], everyone)
            elif region.kind == "line":
                begin, end = one_line_body(old[0])
                parts = []
                for number, text in region.versions.items():
                    new_begin, new_end = one_line_body(text[0])
                    parts.append(f"if tresor_mutant_is_on({number}) {{{text[0][new_begin:new_end]}}} else ")
                put([old[0][:begin] + " " + "".join(parts) + f"{{{old[0][begin:end]}}} " + old[0][end:]], everyone)
            else:
                head = CONSTANT.match(old[0]).group(1)
                put([head], everyone)
                for number, text in region.versions.items():
                    put([f"tresor_mutant_is_on({number}) ? ("], everyone)
                    put([text[0][len(head):], *text[1:]], [number])
                    put([") : "], everyone)
                put(["(", old[0][len(head):], *old[1:], ")"], everyone)
            at = region.end
        put(self.lines[at:])
        lines.insert(0, f"import {SHIM}")
        owners.insert(0, ())
        return "\n".join(lines), owners


class Loom:
    """A tree into which mutants are woven. Numbers begin at 1; 0 switches all of them off.

    source: the tree whose files are woven; what does not change keeps its time, and its build with it.
    left_out: which are not to be woven, and why.
    """

    def __init__(self, source, tree, mutants, left_out):
        self.source, self.tree = source, tree
        self.numbers = {mutant: number for number, mutant in enumerate(mutants, 1)}
        self.left_out = dict(left_out)
        self.plain = {}
        for mutant in mutants:
            for path, *_ in changes(mutant.diff):
                with open(os.path.join(source, path), encoding="utf-8") as file:
                    self.plain.setdefault(path, file.read())
        for mutant in mutants:
            self.check(mutant)

    @property
    def paths(self):
        """What is written here, and not copied."""
        return {*self.plain, "Package.swift", *(f"Sources/{SHIM}/{name}" for name in SHIM_FILES)}

    @property
    def woven(self):
        return [mutant for mutant in self.numbers if mutant not in self.left_out]

    def check(self, mutant):
        try:
            for hunk in changes(mutant.diff):
                if not hunk[0].endswith(".swift"):
                    raise NotWoven("it is not in Swift")
                source = Source(self.plain[hunk[0]])
                source.place(0, hunk)
                source.regions()
        except NotWoven as reason:
            self.left_out[mutant] = str(reason)

    def weave(self):
        """Writes the files that have changed since the last time."""
        self.add_shim()
        self.owners = {}
        for path, plain in self.plain.items():
            source, has_any = Source(plain), False
            for mutant in self.woven:
                for hunk in changes(mutant.diff):
                    if hunk[0] == path:
                        source.place(self.numbers[mutant], hunk)
                        has_any = True
            text, self.owners[path] = source.woven() if has_any else (plain, [])
            self.write(path, text)

    def unweave(self, mutant):
        """Gives the files of a mutant their own text."""
        for path, *_ in changes(mutant.diff):
            self.write(path, self.plain[path])

    def write(self, path, text):
        full = os.path.join(self.tree, path)
        if os.path.exists(full):
            with open(full, encoding="utf-8") as file:
                if file.read() == text:
                    return
        os.makedirs(os.path.dirname(full), exist_ok=True)
        with open(full, "w", encoding="utf-8") as file:
            file.write(text)

    def blame(self, output):
        """Leaves out those in whose lines the compiler found an error; whether there were any."""
        blamed = set()
        for path, line in re.findall(r"^(/\S+\.swift):(\d+):\d+: error:", output, re.M):
            owners = self.owners.get(os.path.relpath(path, self.tree), [])
            if int(line) <= len(owners):
                blamed |= set(owners[int(line) - 1])
        for mutant, number in self.numbers.items():
            if number in blamed and mutant not in self.left_out:
                self.left_out[mutant] = "it does not build beside the others"
        return bool(blamed)

    def add_shim(self):
        """The target that every other one may ask which mutant is on."""
        for name, text in SHIM_FILES.items():
            self.write(f"Sources/{SHIM}/{name}", text)
        with open(os.path.join(self.source, "Package.swift"), encoding="utf-8") as file:
            text = file.read()
        self.write("Package.swift", text + f"""
for target in package.targets where [.regular, .executable].contains(target.type) && !target.name.hasPrefix("C") {{
    target.dependencies.append("{SHIM}")
}}
package.targets.append(.target(name: "{SHIM}", path: "Sources/{SHIM}"))
""")


def switch(paths, number):
    """Writes into programs which mutant is on."""
    for path in paths:
        with open(path, "r+b") as file:
            content = file.read()
            at = content.find(SWITCH)
            while at >= 0:
                if content[at + len(SWITCH):at + len(SWITCH) + 4].isdigit():
                    file.seek(at + len(SWITCH))
                    file.write(b"%04d" % number)
                at = content.find(SWITCH, at + 1)
