"""The text of a note, in the layout of today and in the former one."""

from generator.core import *

INVALID, TRUNCATED, TOO_LONG, TRAILING = (("decoder", error) for error in ("invalid", "truncated", "tooLong", "trailing"))

# specs/notes.md, "Records" and "The former layout" --------------------------------------------------------------


def block_id(number):
    return identifier(f"block {number}")


def head(layout, title, tags, count):
    parts = [u8(layout), field(title), u32(len(tags)), *(field(tag) for tag in tags), u32(count)]
    return b"".join(parts)


def body(sources, title="", tags=(), layout=2):
    blocks = [block_id(number) + field(source) for number, source in enumerate(sources)]
    return head(layout, title, tags, len(sources)) + b"".join(blocks)


def present(name, about, sources, title="", tags=()):
    """What is typed, and what is stored of it."""
    sources = [source if isinstance(source, bytes) else source.encode() for source in sources]
    good(f"notes/body_{name}_good.txt", about, body=body(sources, title, tags), title=title.encode(),
         tags=b"".join(field(tag) for tag in tags), markdown=b"".join(sources),
         blocks=b"".join(block_id(number) for number in range(len(sources))))


def present_layout():
    present("empty", "a note without a byte", [])
    present("typed", "marks, line ends and definitions as they were typed",
            ["Trip\r\n====\r\n\r\n", "* one\r\n", "* two  \r\n\r\n", "[wifi]:\tsecret\r\n\r\n\r\n", "no end"])
    present("table", "a row with more cells than the table has columns", ["| a |\n|---|\n| 1 | lost |\n\n", "7. seven\n"])
    present("bytes", "a byte order mark, a null character, and letters that are not composed",
            ["\ufeff# Cafe\u0301\n\n", "nul \0 here\n"])
    present("locked", "of a locked note, with its title and tags", ["# Bank\n"], "Bank", ("money", "\u00fc\U0001f5dd"))
    present("cut_anywhere", "blocks that end within a line, which no writer makes", ["a", "b\n\nc"])
    one = body([b"a\n"])

    def refused(name, about, error, encoded):
        vector(f"notes/body_{name}.txt", about, error, body=encoded)

    refused("layout_zero", "a layout that there is not", INVALID, u8(0) + one[1:])
    refused("layout_three", "a layout that there is not yet", INVALID, u8(3) + one[1:])
    refused("block_empty", "a block without a byte", INVALID, body([b"a\n", b""]))
    refused("block_not_utf8", "half a letter", INVALID, body([b"\xc3", b"\xa4\n"]))
    refused("title_not_utf8", "a title of one byte 0xff", INVALID, u8(2) + field(b"\xff") + one[5:])
    refused("count_beyond_content", "more blocks than bytes for them", TRUNCATED,
            head(2, "", (), 0xFFFFFFFF) + one[13:])
    refused("truncated_in_source", "a source one byte too short", TRUNCATED, one[:-1])
    refused("truncated_in_id", "half an identity", TRUNCATED, one[:20])
    refused("trailing", "one byte too many", TRAILING, one + b"\0")
    refused("source_too_long", "a source of more bytes than a text has", TOO_LONG,
            head(2, "", (), 1) + block_id(0) + u32((256 << 20) + 1) + b"a")


# The former layout -------------------------------------------------------------------------------------------------

QUOTE, LIST, ITEM, OTHER_ITEM = (identifier(name) for name in ("quote", "list", "item", "other item"))
FILE = identifier("file")


def quote():
    return u8(1) + QUOTE


def item(name, tight=True, check=0, number=None):
    return u8(2) + name + LIST + u8(tight) + u8(check) + (u8(0) if number is None else u8(1) + u32(number))


def leaf(containers, kind, *fields):
    return u16(len(containers)) + b"".join(containers) + u8(kind) + b"".join(fields)


def former(leaves, title="", tags=()):
    blocks = [block_id(number) + encoded for number, encoded in enumerate(leaves)]
    return head(1, title, tags, len(leaves)) + b"".join(blocks)


def former_good(name, about, leaves, markdown, title="", tags=()):
    good(f"notes/former_body_{name}_good.txt", about, body=former(leaves, title, tags), title=title.encode(),
         tags=b"".join(field(tag) for tag in tags), markdown=markdown.encode(),
         blocks=b"".join(block_id(number) for number in range(len(leaves))))


def former_layout():
    former_good("empty", "no blocks", [], "")
    table = [u32(2), u8(0), u8(2), u32(2), *(field(cell) for cell in ("a", "b", "1", "2"))]
    former_good(
        "kinds", "a block of each kind",
        [leaf([], 1, u8(2), field("Plan")), leaf([], 2, field("Some *words*.")), leaf([], 3, field("swift"), field("let x\n\nlet y")),
         leaf([], 4, *table), leaf([], 5, field("<p>x</p>")), leaf([], 6), leaf([], 7, FILE, field("p.png"))],
        "## Plan\n\nSome *words*.\n\n```swift\nlet x\n\nlet y\n```\n\n| a | b |\n| --- | :-: |\n| 1 | 2 |\n\n<p>x</p>\n\n___\n\n"
        f"![p\\.png](attachment:{FILE.hex()})\n")
    former_good(
        "containers", "items of a list, one of them done, and a quote",
        [leaf([item(ITEM, check=2)], 2, field("done")), leaf([item(OTHER_ITEM, check=1)], 2, field("open")),
         leaf([quote()], 2, field("wise"))], "- [x] done\n- [ ] open\n\n> wise\n")
    former_good("numbers", "an ordered list with blank lines in it",
                [leaf([item(ITEM, False, number=7)], 2, field("seven")), leaf([item(OTHER_ITEM, False, number=8)], 2, field("eight"))],
                "7. seven\n\n8. eight\n")
    former_good("locked", "of a locked note, with its title and tags", [leaf([], 1, u8(1), field("Bank"))], "# Bank\n", "Bank",
                ("money",))

    def refused(name, about, error, encoded):
        vector(f"notes/former_body_{name}.txt", about, error, body=encoded)

    one = former([leaf([], 2, field("a"))])
    refused("level_seven", "a heading of no level", INVALID, former([leaf([], 1, u8(7), field("a"))]))
    refused("kind_nine", "a block of no kind", INVALID, former([leaf([], 9)]))
    refused("container_three", "a container of no kind", INVALID, former([leaf([u8(3) + QUOTE], 8)]))
    refused("check_three", "an item neither open nor done", INVALID, former([leaf([item(ITEM, check=3)], 8)]))
    refused("alignment_four", "a column of no alignment", INVALID, former([leaf([], 4, u32(1), u8(4), u32(0))]))
    refused("no_columns", "a table without columns", INVALID, former([leaf([], 4, u32(0), u32(0))]))
    refused("containers_1025", "one container too many", TOO_LONG, former([leaf([quote()] * 1025, 8)]))
    refused("truncated", "one byte too few", TRUNCATED, one[:-1])
    refused("trailing", "one byte too many", TRAILING, one + b"\0")


def make_all():
    present_layout()
    former_layout()
