#!/usr/bin/env python3
"""Gathers what programs say to a person, keeps the catalogues of locale/ in step with it, and compiles them: `make catalogues`.

A sentence is a literal behind `localized(`, or behind `marked(` where it is sent in English; what stands in between becomes {1}, {2}
(Sources/Ground/Localization). The diary has a language of its own, and so its sentences have a context (msgctxt): see CONTEXTS.

    packaging/catalogues.py                    writes locale/tresor.pot, and merges it into each locale/LANGUAGE.po
    packaging/catalogues.py --check            says what is missing, not used any more, or names other gaps than the English
    packaging/catalogues.py --compile FOLDER   FOLDER/LANGUAGE/LC_MESSAGES/tresor.mo for each language, without fuzzy ones

Ends with 1 where a check finds something. Needs gettext's msgmerge and msgfmt, but for --check.
"""
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LOCALE = os.path.join(ROOT, "locale")
# Behind which words the literal of a sentence stands, and in which context it is looked up.
CONTEXTS = {"localized": "", "marked": "", "DiaryPhrase": "diary", "language.phrase": "diary", "self.phrase": "diary", "ScreenPhrase": "diary screen"}
CALL = re.compile(r"(?<![A-Za-z_.])(" + "|".join(re.escape(name) for name in CONTEXTS) + r")\(")
ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "0": "\0", '"': '"', "'": "'", "\\": "\\"}


class Slip(Exception):
    """A literal that cannot be read."""


def literal(source, place):
    """The key of the string literal at `place`, and the place behind it."""
    hashes = 0
    while source[place] == "#":
        hashes, place = hashes + 1, place + 1
    if source[place] != '"':
        raise Slip("no literal")
    mark = '"""' if source.startswith('"""', place) else '"'
    end, escape = mark + "#" * hashes, "\\" + "#" * hashes
    place += len(mark)
    parts, gaps = [], 0
    while not source.startswith(end, place):
        if source.startswith(escape, place):
            place += len(escape)
            sign = source[place]
            if sign == "(":
                place = behind(source, place)
                gaps += 1
                parts.append((f"{{{gaps}}}", False))
            elif sign == "u":
                close = source.index("}", place)
                parts.append((chr(int(source[place + 2:close], 16)).replace("{", "{{"), False))
                place = close + 1
            elif sign == "\n":
                parts.append(("\0join", False))
                place += 1
            else:
                parts.append((ESCAPES[sign], False))
                place += 1
        else:
            sign = source[place]
            parts.append(("{{" if sign == "{" else sign, True))
            place += 1
    text = "".join(part if part != "\0join" else "\1" for part, _ in parts)
    if mark == '"""':
        lines = text.split("\n")
        if lines[0].strip() or lines[-1].strip():
            raise Slip("a literal of several lines opens and ends on lines of its own")
        indent = len(lines[-1])
        # A line that ends in a backslash goes on in the next.
        text = "\n".join("\1".join(cut(part, indent) for part in [line]) for line in lines[1:-1])
        text = re.sub("\1 *", "", text) if "\1" in text else text
    return text, place + len(end)


def cut(line, indent):
    """A line without the indent of its literal; also behind a line that was joined."""
    pieces = line.split("\1")
    return "\1".join(piece[indent:] if piece[:indent].isspace() or not piece[:indent] else piece for piece in pieces)


def behind(source, place):
    """The place behind the bracket that closes the one at `place`; strings in between are passed over."""
    depth = 0
    while True:
        sign = source[place]
        if sign == '"':
            _, place = literal(source, place)
            continue
        depth += (sign == "(") - (sign == ")")
        place += 1
        if depth == 0:
            return place


def blank(source, place):
    while source[place] in " \n\t":
        place += 1
    return place


def sentences(path):
    """(key, plural key or None, line) of each sentence of a file; a context stands in front of the key, as in a compiled catalogue."""
    with open(path, encoding="utf-8") as file:
        source = file.read()
    # Comments hold examples.
    source = re.sub(r"(?m)^(\s*)//.*$", lambda line: " " * len(line.group()), source)
    for call in CALL.finditer(source):
        if source[:call.start()].endswith("func "):
            continue
        line = source.count("\n", 0, call.start()) + 1
        context = CONTEXTS[call.group(1)]
        context += "\4" if context else ""
        place = blank(source, call.end())
        try:
            if source[place] in '"#':
                yield context + literal(source, place)[0], None, line
                continue
            one = re.compile(r"\bone:\s*").search(source, place)
            key, place = literal(source, one.end())
            many = re.compile(r",\s*many:\s*").match(source, place)
            yield context + key, literal(source, many.end())[0], line
        except (Slip, AttributeError, KeyError) as slip:
            raise SystemExit(f"{os.path.relpath(path, ROOT)}:{line}: a sentence is a literal behind '{call.group()}': {slip}")


def gathered():
    """{(key, plural): [file:line, …]} of all sources, in their order."""
    found = {}
    for folder, folders, names in os.walk(os.path.join(ROOT, "Sources")):
        folders.sort()
        for name in sorted(names):
            if not name.endswith(".swift"):
                continue
            path = os.path.join(folder, name)
            for key, plural, line in sentences(path):
                found.setdefault((key, plural), []).append(f"{os.path.relpath(path, ROOT)}:{line}")
    return found


def quoted(text):
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\t", "\\t").replace("\r", "\\r")
    lines = escaped.split("\n")
    lines = [line + "\\n" for line in lines[:-1]] + ([lines[-1]] if lines[-1] or len(lines) == 1 else [])
    if len(lines) == 1:
        return f'"{lines[0]}"'
    return '""\n' + "\n".join(f'"{line}"' for line in lines)


def apart(key):
    """The context of a key, and its words."""
    context, mark, words = key.partition("\4")
    return (context, words) if mark else ("", key)


def template(found):
    text = ['msgid ""\nmsgstr ""\n"Project-Id-Version: tresor\\n"\n"MIME-Version: 1.0\\n"\n"Content-Type: text/plain; charset=UTF-8\\n"\n'
            '"Content-Transfer-Encoding: 8bit\\n"\n']
    for (key, plural), places in found.items():
        # Without lines: these would change with each commit.
        files = " ".join(dict.fromkeys(place.rsplit(":", 1)[0] for place in places))
        context, words = apart(key)
        entry = f"#: {files}\n" + (f"msgctxt {quoted(context)}\n" if context else "") + f"msgid {quoted(words)}\n"
        entry += f'msgid_plural {quoted(plural)}\nmsgstr[0] ""\nmsgstr[1] ""\n' if plural is not None else 'msgstr ""\n'
        text.append(entry)
    return "\n".join(text)


def unquoted(lines):
    return "".join(re.sub(r"\\(.)", lambda sign: ESCAPES.get(sign.group(1), sign.group(1)), line.strip()[1:-1]) for line in lines)


def read(path):
    """{(key, plural): [text, …]} of a catalogue, without what is marked fuzzy."""
    entries, fuzzy = {}, []
    with open(path, encoding="utf-8") as file:
        blocks = re.split(r"\n\s*\n", file.read())
    for block in blocks:
        fields, field, is_fuzzy = {}, None, False
        for line in block.split("\n"):
            if line.startswith("#"):
                is_fuzzy |= line.startswith("#,") and "fuzzy" in line
                continue
            start = re.match(r"(msgctxt|msgid_plural|msgid|msgstr(?:\[\d\])?) (\".*)", line)
            if start:
                field = start.group(1)
                fields[field] = [start.group(2)]
            elif line.startswith('"') and field:
                fields[field].append(line)
        if "msgid" not in fields:
            continue
        context = unquoted(fields["msgctxt"]) + "\4" if "msgctxt" in fields else ""
        key = (context + unquoted(fields["msgid"]), unquoted(fields["msgid_plural"]) if "msgid_plural" in fields else None)
        texts = [unquoted(fields[name]) for name in sorted(fields) if name.startswith("msgstr")]
        if is_fuzzy and key[0]:
            fuzzy.append(key)
        else:
            entries[key] = texts
    return entries, fuzzy


def gaps(text):
    return sorted(set(re.findall(r"\{(\d+)\}", text.replace("{{", ""))))


def languages():
    return sorted(name[:-3] for name in os.listdir(LOCALE) if name.endswith(".po"))


def check():
    found, wrong = gathered(), []
    with open(os.path.join(LOCALE, "tresor.pot"), encoding="utf-8") as file:
        if file.read() != template(found):
            wrong.append("locale/tresor.pot is not what the sources say: make catalogues")
    for language in languages():
        entries, fuzzy = read(os.path.join(LOCALE, language + ".po"))
        for key in found:
            texts = entries.get(key)
            if key in fuzzy:
                wrong.append(f"{language}: to be looked at (fuzzy): {key[0]!r}")
            elif not texts or not all(texts):
                wrong.append(f"{language}: missing: {key[0]!r}")
            else:
                for text in texts:
                    allowed = gaps(key[0]) if key[1] is None else sorted(set(gaps(key[0])) | set(gaps(key[1])))
                    if (key[1] is None and gaps(text) != allowed) or not set(gaps(text)) <= set(allowed):
                        wrong.append(f"{language}: other gaps than the English: {key[0]!r}")
                    words = apart(key[0])[1]
                    if words[-1:].isspace() != text[-1:].isspace() or words[:1].isspace() != text[:1].isspace():
                        wrong.append(f"{language}: another space at its start or end: {key[0]!r}")
        for key in entries:
            if key[0] and key not in found:
                wrong.append(f"{language}: not used any more: {key[0]!r}")
    print("\n".join(wrong) if wrong else f"{len(found)} sentences in {len(languages())} languages")
    return 1 if wrong else 0


def main():
    words = sys.argv[1:]
    if words == ["--check"]:
        return check()
    if len(words) == 2 and words[0] == "--compile":
        for language in languages():
            folder = os.path.join(words[1], language, "LC_MESSAGES")
            os.makedirs(folder, exist_ok=True)
            new = os.path.join(folder, "tresor.mo.new")
            subprocess.run(["msgfmt", "--check-format", "-o", new, os.path.join(LOCALE, language + ".po")], check=True)
            os.replace(new, new[:-4])
        return 0
    if words:
        sys.exit(__doc__)
    pot = os.path.join(LOCALE, "tresor.pot")
    with open(pot, "w", encoding="utf-8") as file:
        file.write(template(gathered()))
    for language in languages():
        subprocess.run(
            ["msgmerge", "--quiet", "--no-wrap", "--backup=none", "--no-location", "--update", os.path.join(LOCALE, language + ".po"), pot], check=True)
        path = os.path.join(LOCALE, language + ".po")
        subprocess.run(["msgattrib", "--no-wrap", "--no-obsolete", "-o", path, path], check=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
