"""fingerprint-enrolment, widget-frame, widget-timeline, draw-stream, print-stream, thumbnail-answer, notes-socket,
widgets-socket and notes: what programs of ours exchange, and what notes consist of."""

import hashlib

from generator.core import *

REFUSED = ("decoder", "refused")
TIME = 1_750_000_000_000_000


def whole(folder, cases, key="bytes"):
    """Each of `cases` is read and written again as the same bytes."""
    for name, about, content, shown in cases:
        good(f"{folder}/{name}.txt", about, **{key: content}, **shown)


def spoilt(folder, cases, key="bytes", **shown):
    for name, about, content in cases:
        vector(f"{folder}/{name}.txt", about, REFUSED, **{key: content}, **shown)


def cut_and_trailing(name, content):
    return [(f"{name}_truncated", "the last byte is missing", content[:-1]),
            (f"{name}_trailing", "one byte follows", content + b"\0")]


# specs/fingerprint-enrolment.md -------------------------------------------------------------------------------------


def fingerprint_enrolment():
    header = b"tresor enrolment 1"

    def state(name, about, kind, entries):
        content = header + u8(kind) + u32(len(entries)) + b"".join(
            field(path) + (b"" if data is None else u64(len(data)) + data) for path, data in sorted(entries))
        shown = {f"entry_{n}": f"{path} {'-' if data is None else data.hex() or '-'}"
                 for n, (path, data) in enumerate(entries, 1)}
        good(f"fingerprint-enrolment/{name}.txt", about, kind=kind, **shown, hashed=content,
             state=hashlib.sha256(content).digest())

    two = [("virtual_device/0/2", b""), ("virtual_device/0/7", b"abc")]
    state("files_good", "two fingers of a reader", 1, two)
    state("files_order_good", "the order in which files are found does not matter", 1, two[::-1])
    state("files_folders_good", "a name before a folder of the same beginning, by bytes", 1,
          [("a/b/1", b"1"), ("a-b/0/1", b"2")])
    state("files_none_good", "no finger", 1, [])
    state("names_good", "the names alone", 2, [("right-index-finger", None), ("left-thumb", None)])


# specs/widget-frame.md and specs/draw-stream.md ---------------------------------------------------------------------


def text_node(content, font=1, tint=0, dimmed=None):
    return u8(1) + field(content) + u8(font) + u8(tint) + u8(0) + u8(0) + (b"" if dimmed is None else u8(dimmed))


def frame(root, version=1, kind="lock", name="Lock", symbol=0, family=4, state=0, dimmed=0):
    return u8(version) + field(kind) + field(name) + u8(symbol) + u8(family) + u8(state) + u8(dimmed) + root


OPEN = text_node("Open", dimmed=0)
WORD = frame(OPEN)


def stack(nodes, count=None):
    return u8(6) + u8(1) + u8(0) + u8(4) + u16(len(nodes) if count is None else count) + b"".join(nodes)


def widget_frame():
    every = stack([
        OPEN, u8(2) + field(b"\x89PNG") + u16(10) + u16(1000) + field("a picture") + u8(1), u8(3) + u8(15) + u8(5) + u8(0),
        u8(4) + u8(1) + u16(1000) + u8(0) + OPEN, u8(5) + u8(1) + u8(0) + OPEN, u8(7), u8(8), u8(9) + u8(0) + u8(2) + u8(6),
        u8(9) + u8(1), u8(9) + u8(2) + u8(0), u8(9) + u8(3), u8(9) + u8(4), u8(10) + field("spoken") + OPEN,
        u8(11) + field("tresor:notes") + OPEN,
    ])
    whole("widget-frame", [
        ("word_good", "the word \"Open\" on a bar", WORD, {}),
        ("every_node_good", "one of each node and mask", frame(every, family=2, state=1), {}),
        ("kind_64_good", "the longest kind", frame(OPEN, kind="k" * 64), {}),
    ])
    spoilt("widget-frame", [
        ("version_2", "version 2", frame(OPEN, version=2)), ("kind_empty", "no kind", frame(OPEN, kind="")),
        ("kind_65", "a kind of 65 bytes", frame(OPEN, kind="k" * 65)),
        ("kind_dot", "a kind that begins with a point", frame(OPEN, kind=".lock")),
        ("kind_slash", "a kind that is a path", frame(OPEN, kind="a/b")),
        ("name_not_utf8", "a name that is not UTF-8", frame(OPEN, name=b"\xff")),
        ("symbol_16", "symbol 16", frame(OPEN, symbol=16)), ("family_7", "family 7", frame(OPEN, family=7)),
        ("state_5", "state 5", frame(OPEN, state=5)), ("dimmed_2", "a flag of 2", frame(OPEN, dimmed=2)),
        ("node_0", "node 0", frame(u8(0))), ("node_12", "node 12", frame(u8(12))),
        ("font_6", "font 6", frame(text_node("x", font=6, dimmed=0))),
        ("tint_6", "tint 6", frame(text_node("x", tint=6, dimmed=0))),
        ("mask_0_columns", "a mask without a column", frame(u8(9) + u8(0) + u8(1) + u8(0))),
        ("mask_41_columns", "a mask of 41 columns", frame(u8(9) + u8(0) + u8(1) + u8(41))),
        ("mask_5", "mask 5", frame(u8(9) + u8(5))),
        ("gauge_1001", "a gauge of 1,001 thousandths", frame(u8(4) + u8(0) + u16(1001) + u8(0) + OPEN)),
        ("picture_0_points", "a picture of no width",
         frame(u8(2) + field(b"x") + u16(0) + u16(1) + field("") + u8(0))),
        ("text_too_long", "a text of 16,385 bytes", frame(text_node("x" * 16_385, dimmed=0))),
        ("stack_one_short", "a stack that names one node more than it has", frame(stack([OPEN], count=2))),
        ("65_deep", "65 nodes, one in the other", frame(b"".join([stack([], count=1)] * 64) + OPEN)),
        *cut_and_trailing("word", WORD),
    ])


def draw_stream():
    def request(scale=2, depth=8, theme=1, version=1, content=WORD):
        return u8(version) + u8(scale) + u8(depth) + u8(theme) + content

    def answer(body):
        return u32(len(body)) + body

    whole("draw-stream", [
        ("request_good", "the frame of a word, at 2 pixels for each point, in colours, dark",
         u32(len(request())) + request(), {"message": "request"}),
        ("request_ink_good", "the same in ink", u32(len(request())) + request(1, 1, 0), {"message": "request"}),
        ("answer_picture_good", "a picture", answer(u8(0) + b"\x89PNG and so on"), {"message": "answer"}),
        *[(f"answer_{code}_good", about, answer(u8(code)), {"message": "answer"})
          for code, about in [(1, "not a request"), (2, "not a frame"), (3, "no memory")]],
    ])
    for name, about, body in [
        ("request_version_2", "version 2", request(version=2)), ("request_scale_0", "scale 0", request(scale=0)),
        ("request_scale_3", "scale 3", request(scale=3)), ("request_depth_2", "depth 2", request(depth=2)),
        ("request_theme_2", "theme 2", request(theme=2)), ("request_3_bytes", "three bytes", request()[:3]),
    ]:
        vector(f"draw-stream/{name}.txt", about, REFUSED, message="request", bytes=u32(len(body)) + body)
    for name, about, body in [
        ("answer_empty", "no byte at all", b""), ("answer_no_png", "a picture that is none", u8(0) + b"GIF89a"),
        ("answer_4", "code 4", u8(4)), ("answer_1_trailing", "a refusal and one byte more", u8(1) + b"\0"),
    ]:
        vector(f"draw-stream/{name}.txt", about, REFUSED, message="answer", bytes=answer(body))


# specs/widget-timeline.md -------------------------------------------------------------------------------------------


def timeline(views, version=1, policy=b"\1" + i64(-1), dates=(TIME,), count=None):
    content = u8(version) + policy + u16(len(dates) if count is None else count)
    for date in dates:
        content += i64(date) + u8(len(views)) + b"".join(u8(family) + field(view) for family, view in views)
    return content


def widget_timeline():
    place = u8(11) + u8(1) + text_node("\u2014")
    balance = u8(6) + u8(1) + u8(0) + u8(4) + u16(2) + text_node("Balance", font=2) + place
    secrets = u8(1) + u16(1) + field(text_node("42"))
    none = u8(1) + u16(0)

    def read(name, about, open_part, secret_part):
        good(f"widget-timeline/{name}.txt", about, open=open_part, secrets=secret_part)

    def refused(name, about, open_part, secret_part=none):
        vector(f"widget-timeline/{name}.txt", about, REFUSED, open=open_part, secrets=secret_part)

    example = timeline([(0, balance)])
    read("balance_good", "a title, and an amount that is sealed", example, secrets)
    read("at_end_good", "asked again at the last entry's date; two families",
         timeline([(0, u8(8)), (4, u8(9))], policy=b"\0", dates=(TIME, TIME)), u8(1) + u16(0) * 4)
    read("never_good", "never asked by the clock; no view", timeline([], policy=b"\2"), u8(1))
    refused("version_2", "version 2", timeline([(0, balance)], version=2), secrets)
    refused("secrets_version_2", "secrets of version 2", example, u8(2) + secrets[1:])
    refused("policy_3", "policy 3", timeline([(0, u8(8))], policy=b"\3"))
    refused("no_entry", "no entry", timeline([], dates=()), u8(1))
    refused("dates_fall", "the second entry is before the first",
            timeline([(0, u8(8))], dates=(TIME, TIME - 1)), u8(1) + u16(0) * 2)
    refused("families_fall", "families out of order", timeline([(4, u8(8)), (0, u8(8))]), u8(1) + u16(0) * 2)
    refused("family_twice", "a family twice", timeline([(0, u8(8)), (0, u8(8))]), u8(1) + u16(0) * 2)
    refused("family_7", "family 7", timeline([(7, u8(8))]))
    refused("secret_missing", "an open place without a secret", example, none)
    refused("secret_too_many", "a secret without a place", timeline([(0, u8(8))]), secrets)
    refused("node_13", "node 13", timeline([(0, u8(13))]))
    refused("view_trailing", "a byte behind a view's node", timeline([(0, u8(8) + b"\0")]))
    refused("secret_trailing", "a byte behind a secret's node", example, u8(1) + u16(1) + field(text_node("42") + b"\0"))
    refused("open_truncated", "the open part ends early", example[:-1], secrets)
    refused("open_trailing", "a byte behind the open part", example + b"\0", secrets)
    refused("secrets_truncated", "the secrets end early", example, secrets[:-1])
    refused("secrets_trailing", "a byte behind the secrets", example, secrets + b"\0")


# specs/print-stream.md ----------------------------------------------------------------------------------------------


def message(kind, body):
    return u8(kind) + field(body)


def a_map(width=10, points=2, count=3):
    """The body of a map: a line from corner to corner, and a dot in its middle."""
    line = [u16(0) + u16(0), u16(10) + u16(8)][:points]
    return (field("Map") + field("Oslo (3)") + u16(width) + u16(8) + u16(1) + u16(len(line)) + b"".join(line)
            + u16(1) + u16(5) + u16(4) + u16(count))


def print_stream():
    def text(kind=5, level=0, marker="1.", spans=((2, "", "x"),), count=None):
        return message(4, u8(kind) + u8(level) + field(marker) + u16(len(spans) if count is None else count) + b"".join(
            u8(style) + field(link) + field(letters) for style, link, letters in spans))

    cover = u8(2) + u8(1) + field("en") + field("A book") + u8(1) + field("a line") + field("no picture")
    whole("print-stream", [
        ("cover_good", "a cover", message(1, cover), {}),
        ("map_good", "a map with one line of coast and one dot", message(9, a_map()), {}),
        ("contents_good", "the heading of the list of months", message(10, field("Contents")), {}),
        ("month_good", "a month", message(2, u16(2026) + field("July 2026")), {}),
        ("entry_good", "an entry", message(3, field("4 July") + field("at sea") + u8(1)), {}),
        ("item_good", "an item of a numbered list, in italics", text(), {}),
        ("link_good", "a paragraph with a link",
         text(1, 0, "", [(0, "", "see "), (0, "https://example.org/", "there")]), {}),
        ("rule_good", "a rule", message(5, b""), {}),
        ("picture_good", "a picture", message(6, field("at sea") + field(b"\xff\xd8\xff\xe0")), {}),
        ("note_good", "a note", message(7, field("left out")), {}),
        ("end_good", "the end, of 40 entries", message(8, u32(40)), {}),
    ])
    spoilt("print-stream", [
        ("kind_0", "kind 0", message(0, b"")), ("kind_11", "kind 11", message(11, b"")),
        ("contents_empty", "contents without a heading", message(10, field(""))),
        ("map_without_extent", "a map of no width", message(9, a_map(width=0))),
        ("map_point_outside", "a point of the coast beyond the map", message(9, a_map(width=9))),
        ("map_line_of_one_point", "a line of one point", message(9, a_map(points=1))),
        ("map_dot_of_nothing", "a dot for no entry", message(9, a_map(count=0))),
        ("cover_version_1", "a cover of version 1", message(1, u8(1) + cover[1:])),
        ("cover_paper_3", "paper 3", message(1, u8(2) + u8(3) + cover[2:])),
        ("month_year_0", "the year 0", message(2, u16(0) + field("None"))),
        ("month_year_10000", "the year 10000", message(2, u16(10_000) + field("Far"))),
        ("entry_starred_2", "a flag of 2", message(3, field("h") + field("") + u8(2))),
        ("text_kind_8", "text of kind 8", text(8, 0, "")), ("text_level_6", "an item of level 6", text(level=6)),
        ("text_marker_of_paragraph", "a paragraph with a marker", text(1)),
        ("text_style_8", "a style of bit 3", text(spans=[(8, "", "x")])),
        ("text_no_span", "no span", text(spans=())),
        ("text_equal_spans", "two spans of one style, side by side", text(spans=[(2, "", "x"), (2, "", "y")])),
        ("text_link_file", "a link to a file", text(spans=[(0, "file:///etc/passwd", "x")])),
        ("text_control", "a control character in a heading", message(3, field("a\x07") + field("") + u8(0))),
        ("rule_with_body", "a rule with a byte", message(5, b"\0")),
        ("note_empty", "a note of no words", message(7, field(""))),
        ("note_too_long", "a note of 1,025 bytes", message(7, field("x" * 1025))),
        ("picture_empty", "a picture without a file", message(6, field("") + field(b""))),
        *cut_and_trailing("end", message(8, u32(40))),
    ])


# specs/thumbnail-answer.md ------------------------------------------------------------------------------------------


def thumbnail_answer():
    def facts(presence=3, clock=1_783_209_598, offset=-210, latitude=0, longitude=0, orientation=1, width=1, height=1,
              camera=b""):
        return (u8(presence) + i64(clock) + struct.pack(">h", offset) + i64(latitude) + i64(longitude) + u8(orientation)
                + u16(width) + u16(height) + u8(len(camera)) + camera)

    jpeg = b"\xff\xd8\xff\xe0"

    def pictures(known, preview=b"", version=1):
        return u8(version) + u8(0) + known + field(jpeg) + field(preview)

    shown = {"message": "answer"}
    whole("thumbnail-answer", [
        ("pictures_good", "a photo with a time", pictures(facts()), shown),
        ("preview_good", "a place, a camera, a preview",
         pictures(facts(7, latitude=52_500_000_000, longitude=-13_400_000_000, camera=b"Pin Hole 1"), jpeg), shown),
        ("facts_good", "what the file says", u8(1) + u8(3) + facts(0, 0, 0, orientation=8, width=65_535), shown),
        ("file_good", "a file", u8(1) + u8(1) + field(jpeg), shown),
        ("refused_good", "not an image", u8(1) + u8(2) + u8(1), shown),
        ("pixels_good", "two pixels, red beside blue",
         u8(1) + u8(4) + u16(2) + u16(1) + field(b"\xff\0\0\0\0\xff"), shown),
        ("request_good", "a thumbnail of a JPEG", u8(1) + u8(1) + u8(1) + u8(0) + u32(4), {"message": "request"}),
        ("request_facts_good", "facts of nobody knows what", u8(1) + u8(5) + u8(0) + u8(0) + u32(1 << 28),
         {"message": "request"}),
        ("request_pixels_good", "the pixels of a JPEG, 512 a side", u8(1) + u8(6) + u8(1) + u8(32) + u32(4),
         {"message": "request"}),
    ])
    spoilt("thumbnail-answer", [
        ("version_2", "version 2", pictures(facts(), version=2)), ("part_5", "part 5", u8(1) + u8(5)),
        ("pixels_short", "a pixel of two bytes", u8(1) + u8(4) + u16(1) + u16(1) + field(b"\xff\0")),
        ("pixels_none", "no pixel", u8(1) + u8(4) + u16(0) + u16(0) + field(b"")),
        ("pixels_wide", "2,049 pixels in a row", u8(1) + u8(4) + u16(2049) + u16(1) + field(bytes(2049 * 3))),
        ("presence_8", "a presence of bit 3", pictures(facts(8, 0, 0))),
        ("absent_clock", "a clock that is not there", pictures(facts(2))),
        ("absent_offset", "an offset that is not there", pictures(facts(1))),
        ("absent_place", "a place that is not there", pictures(facts(3, latitude=1))),
        ("clock_beyond", "a second after the year 9999", pictures(facts(clock=253_402_300_800))),
        ("offset_1440", "24 hours ahead", pictures(facts(offset=1440))),
        ("latitude_beyond", "north of the pole", pictures(facts(7, latitude=90_000_000_001))),
        ("orientation_0", "orientation 0", pictures(facts(orientation=0))),
        ("orientation_9", "orientation 9", pictures(facts(orientation=9))),
        ("width_0", "no width", pictures(facts(width=0))),
        ("camera_not_utf8", "a camera that is not UTF-8", pictures(facts(camera=b"\xff"))),
        ("camera_control", "a camera with a control character", pictures(facts(camera=b"a\x1b[2J"))),
        ("camera_space", "a camera with a space at its end", pictures(facts(camera=b"a "))),
        ("thumbnail_no_jpeg", "a thumbnail that is none", u8(1) + u8(0) + facts() + field(b"GIF8") + field(b"")),
        ("file_no_image", "a file that is no image", u8(1) + u8(1) + field(b"%PDF")),
        ("refused_6", "reason 6", u8(1) + u8(2) + u8(6)),
        *cut_and_trailing("pictures", pictures(facts())),
    ], **shown)
    spoilt("thumbnail-answer", [
        ("request_version_2", "version 2", u8(2) + u8(1) + u8(1) + u8(0) + u32(4)),
        ("request_job_0", "job 0", u8(1) + u8(0) + u8(1) + u8(0) + u32(4)),
        ("request_job_7", "job 7", u8(1) + u8(7) + u8(1) + u8(0) + u32(4)),
        ("request_side_0", "pixels of no size", u8(1) + u8(6) + u8(1) + u8(0) + u32(4)),
        ("request_side_129", "pixels, 2,064 a side", u8(1) + u8(6) + u8(1) + u8(129) + u32(4)),
        ("request_kind_7", "kind 7", u8(1) + u8(1) + u8(7) + u8(0) + u32(4)),
        ("request_side_of_thumbnail", "a thumbnail of a size of its own", u8(1) + u8(1) + u8(1) + u8(1) + u32(4)),
        ("request_empty_image", "an image of no bytes", u8(1) + u8(1) + u8(1) + u8(0) + u32(0)),
        ("request_too_long", "an image above 256 MiB", u8(1) + u8(1) + u8(1) + u8(0) + u32((1 << 28) + 1)),
    ], message="request")


# specs/notes-socket.md and specs/widgets-socket.md ------------------------------------------------------------------


def head(json, request=7, more=0, secrets=(), version=1, part=1, count=None):
    return (u8(version) + u8(part) + u32(request) + u8(more) + field(json)
            + u8(len(secrets) if count is None else count) + b"".join(map(field, secrets)))


def resident_sockets():
    show = b'{"show":{"id":"0f3c9a52"}}'
    body = u8(1) + u8(2) + u32(7) + u8(0) + field(b"bytes")

    def read(path, about, payload, part=1, request=7, more=0, content=show, secrets=0):
        good(path, about, frame=u32(len(payload)) + payload, part=part, id=request, more=more, content=content,
             secrets=secrets)

    read("notes-socket/show_good.txt", "a request for a note", head(show))
    read("notes-socket/secrets_good.txt", "two secrets beside the JSON", head(show, secrets=[b"old", b"new"]), secrets=2)
    read("notes-socket/body_follows_good.txt", "a head that a body follows", head(show, more=1), more=1)
    read("notes-socket/body_good.txt", "the last part of a body", body, 2, content=b"bytes")
    refusal = b'{"error":{"_0":{"code":"damaged","message":"the file is damaged"}}}'
    failure = u8(1) + u8(3) + u32(7) + u8(0) + field(refusal)
    read("notes-socket/failure_good.txt", "a failure in the place of what is left of a body", failure, 3, content=refusal)
    read("notes-socket/event_good.txt", "an event", head(show, request=0), request=0)
    for name, about, payload in [
        ("version_2", "version 2", head(show, version=2)), ("part_0", "part 0", head(show, part=0)),
        ("part_4", "part 4", head(show, part=4)), ("more_2", "a flag of 2", head(show, more=2)),
        ("three_secrets", "three secrets", head(show, secrets=[b"a", b"b", b"c"])),
        ("secret_too_long", "a secret of 4,097 bytes", head(show, secrets=[bytes(4097)])),
        ("secret_missing", "a secret that is not there", head(show, count=1)),
        ("body_with_secrets", "a body with a count of secrets", body + u8(0)),
        ("failure_with_more", "a failure that more follows", u8(1) + u8(3) + u32(7) + u8(1) + field(refusal)),
        ("failure_with_secrets", "a failure with a count of secrets", failure + u8(0)),
        ("head_too_long", "JSON that claims 524,289 bytes", head(show)[:7] + u32(524_289) + show + u8(0)),
        *cut_and_trailing("head", head(show)),
    ]:
        vector(f"notes-socket/{name}.txt", about, REFUSED, frame=u32(len(payload)) + payload)
    following = b'{"next":{}}'
    read("widgets-socket/next_good.txt", "which widget changes next", head(following, request=2), request=2,
         content=following)


# specs/notes.md -----------------------------------------------------------------------------------------------------

BODY = bytes.fromhex("6f09cf0a47ca624f44d289790b4eb786")


def notes():
    def header(version=1, flags=0, title="Bank", folder="", tags=(), deleted=0, revision=1, lock=bytes(16),
               history=bytes(16), draft=bytes(16), source="", attachments=(), assets=()):
        return (u8(version) + u8(flags) + field(title) + field(folder) + u32(len(tags)) + b"".join(map(field, tags))
                + i64(TIME) + i64(TIME) + i64(deleted) + BODY + u64(revision) + lock + history + draft + field(source)
                + u32(len(attachments)) + b"".join(attachments) + u32(len(assets)) + b"".join(assets))

    one, two, three = (identifier(f"record {n}") for n in (1, 2, 3))

    def lock(suite=2, count=40, version=1):
        return u8(version) + one + two + u8(suite) + field(named("wrapped", 40)[:count] + bytes(max(0, count - 32)))

    def lock_key(suite=2, rounds=600_000, salt=32, verifier=40, hint=None, version=1):
        return (u8(version) + u8(suite) + u32(rounds) + field(bytes(salt)) + field(bytes(verifier))
                + (u8(0) if hint is None else u8(1) + field(hint)) + i64(TIME))

    def history(entries, version=1):
        return u8(version) + u32(len(entries)) + b"".join(
            name + i64(TIME) + u64(revision) + u32(size) for name, revision, size in entries)

    def settings(minutes=8, suite=2, shows=1, version=1):
        return u8(version) + u8(shows) + u8(minutes) + u8(suite) + two

    records = {
        "header": [
            ("header_good", "an open note in no folder", header()),
            ("header_whole_good", "a locked note in the trash, with all that it can have",
             header(flags=3, folder="Work/2026", tags=("a", "b"), deleted=TIME, revision=9, lock=one, history=two,
                    draft=three, source="0" * 64, attachments=[one, two], assets=[three])),
        ],
        "lock": [("lock_good", "a lock of suite 2", lock()), ("lock_128_good", "of suite 1", lock(1, 24))],
        "lock key": [
            ("lock_key_good", "a passphrase, with a hint", lock_key(hint="quince")),
            ("lock_key_128_good", "of suite 1, without", lock_key(1, 700_000, 16, 24)),
        ],
        "history": [("history_good", "two former texts", history([(one, 1, 10), (two, 2, 0)])),
                    ("history_empty_good", "none", history([]))],
        "settings": [("settings_good", "eight minutes, suite 2", settings())],
        "part": [
            ("part_open_good", "an open part", u8(1) + u8(0) + b"text"),
            ("part_locked_good", "a locked part, as 0.1 sealed it", u8(1) + u8(2) + b"sealed"),
            ("part_bound_good", "a locked part, bound to its text revision", u8(2) + u8(1) + b"sealed"),
        ],
    }
    refused = {
        "header": [
            ("header_version_2", "version 2", header(version=2)), ("header_flags_4", "flags of bit 2", header(flags=4)),
            ("header_not_utf8", "a title that is not UTF-8", header(title=b"\xff")), *cut_and_trailing("header", header()),
        ],
        "lock": [
            ("lock_suite_3", "suite 3", lock(3)), ("lock_key_of_other_suite", "a key of suite 1 in suite 2", lock(2, 24)),
            *cut_and_trailing("lock", lock()),
        ],
        "lock key": [
            ("lock_key_rounds_below", "599,999 rounds", lock_key(rounds=599_999)),
            ("lock_key_rounds_above", "100,000,001 rounds", lock_key(rounds=100_000_001)),
            ("lock_key_salt_31", "a salt of 31 bytes", lock_key(salt=31)),
            ("lock_key_verifier_39", "a verifier of 39 bytes", lock_key(verifier=39)),
            ("lock_key_hint_4097", "a hint of 4,097 bytes", lock_key(hint="x" * 4097)),
        ],
        "history": [("history_count", "one version more than there is", u8(1) + u32(2) + history([(one, 1, 1)])[5:]),
                    *cut_and_trailing("history", history([(one, 1, 10)]))],
        "settings": [
            ("settings_minutes_5", "five minutes", settings(minutes=5)), ("settings_suite_0", "suite 0", settings(suite=0)),
            ("settings_flag_2", "a flag of 2", settings(shows=2)), *cut_and_trailing("settings", settings()),
        ],
        "part": [
            ("part_empty", "no byte at all", b""), ("part_version_3", "version 3", u8(3) + u8(0)),
            ("part_form_3", "form 3", u8(1) + u8(3)), ("part_bound_open", "open, and bound to a revision", u8(2) + u8(0)),
        ],
    }
    for kind, cases in records.items():
        whole("notes", [(name, about, content, {"record": kind}) for name, about, content in cases])
    for kind, cases in refused.items():
        spoilt("notes", cases, record=kind)


def make_all():
    fingerprint_enrolment()
    widget_frame()
    draw_stream()
    widget_timeline()
    print_stream()
    thumbnail_answer()
    resident_sockets()
    notes()
