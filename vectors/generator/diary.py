"""The diary's records, and its recovery key."""

import struct

from generator.core import *

INVALID, TRUNCATED, TRAILING = (("decoder", error) for error in ("invalid", "truncated", "trailing"))

# specs/diary.md, "Records" -----------------------------------------------------------------------------------------


def f64(value):
    return struct.pack(">d", value)


def asset(name, count):
    return identifier(name) + named("asset key " + name) + named("asset prefix " + name, 7) + u64(count)


def file(name, kind, media_type, facts=(), camera=None, problem="", thumbnail=None):
    """Facts by their bit, in order; degrees are given as bytes."""
    present = sum(1 << bit for bit, _ in facts) | (128 if camera is not None else 0)
    numbers = b"".join(value if isinstance(value, bytes) else i64(value) for _, value in facts)
    return (identifier(name) + u8(kind) + field(name) + field(media_type) + u8(present) + numbers
            + (b"" if camera is None else field(camera)) + field(problem) + asset("original of " + name, 1234)
            + (u8(1) + asset("thumbnail of " + name, 99) if thumbnail else u8(0)) + u8(0))


PHOTO = file("Fjord.jpg", 1, "image/jpeg",
             ((0, -1), (1, -210), (2, f64(59.913)), (3, f64(-10.752)), (4, 4032), (5, 3024), (6, 6)), "Camera", "", True)
AUDIO = file("wind", 2, "", problem="not a picture")


def header(flags=0, date=0, zone="Europe/Oslo", mood=0, tags=(), place=b"", created=0, modified=0, deleted=0, revision=1,
           source="", opening="", words=0, files=()):
    return (u8(1) + u8(flags) + i64(date) + field(zone) + u8(mood) + u32(len(tags)) + b"".join(map(field, tags)) + place
            + i64(created) + i64(modified) + i64(deleted) + identifier("diary body") + u64(revision) + field(source)
            + field(opening) + u32(words) + u32(len(files)) + b"".join(files))


def place(latitude, longitude, *names):
    return f64(latitude) + f64(longitude) + b"".join(map(field, names))


WHEN = 1_700_000_000_000_000
FULL = dict(flags=7, date=WHEN, zone="GMT+0200", mood=5, tags=("one", "\u00fc\U0001f5dd"),
            place=place(-90, 180, "End", "", "", "Nowhere"), created=WHEN + 1, modified=WHEN + 2, deleted=WHEN + 3, revision=4,
            source="dayone:1", opening="First words", words=2, files=(PHOTO, AUDIO))


def make_headers():
    def made(name, about, **said):
        names = ("date", "zone", "created", "modified", "deleted", "revision", "words")
        values = {key: said.get(key, {"zone": "Europe/Oslo", "revision": 1}.get(key, 0)) for key in names}
        values["zone"] = values["zone"].encode()
        good(f"diary/header_{name}_good.txt", about, header=header(**said), **values, mood=said.get("mood", 0),
             starred=bool(said.get("flags", 0) & 1), draft=bool(said.get("flags", 0) & 2),
             tags=b"".join(map(field, said.get("tags", ()))), files=len(said.get("files", ())),
             opening=said.get("opening", "").encode(), source=said.get("source", "").encode())

    made("least", "an entry of which nothing is said but when", date=WHEN, created=WHEN, modified=WHEN)
    made("full", "an entry of which all is said, with a photo and a sound", **FULL)
    made("before_1970", "an entry of a day before 1970", date=-1, created=WHEN, modified=WHEN)

    def refused(name, about, error, encoded):
        vector(f"diary/header_{name}.txt", about, error, header=encoded)

    least = header()
    refused("version_two", "a version that there is not", INVALID, u8(2) + least[1:])
    refused("flag_unknown", "a flag that there is not", INVALID, header(flags=8))
    refused("mood_six", "a mood that there is not", INVALID, header(mood=6))
    refused("latitude_beyond", "north of the pole", INVALID, header(flags=4, place=place(90.1, 0, "", "", "", "")))
    refused("latitude_not_a_number", "a place that is none", INVALID,
            header(flags=4, place=place(float("nan"), 0, "", "", "", "")))
    refused("kind_five", "a file of a kind that there is not", INVALID, header(files=(file("x", 5, ""),)))
    refused("width_beyond", "a width above 32 bits", INVALID, header(files=(file("x", 1, "", ((4, 1 << 31),)),)))
    refused("tag_not_utf8", "a tag of one byte 0xff", INVALID, header(tags=(b"\xff",)))
    refused("tags_beyond_content", "more tags than bytes for them", TRUNCATED,
            least[:26] + u32(0xFFFFFFFF) + least[30:])
    refused("truncated", "one byte too few", TRUNCATED, least[:-1])
    refused("trailing", "one byte too many", TRAILING, least + b"\0")


def make_others():
    text, foreign = "Caf\u00e9 \U0001f5dd\r\n![f](media:0)\n", '{"a":1}'
    body = u8(1) + field(text) + field(foreign)
    good("diary/body_good.txt", "a text and what its source said besides", body=body, text=text.encode(),
         foreign=foreign.encode())
    vector("diary/body_trailing.txt", "one byte too many", TRAILING, body=body + b"\0")
    vector("diary/body_not_utf8.txt", "a text of one byte 0xff", INVALID, body=u8(1) + field(b"\xff") + field(""))
    good("diary/settings_good.txt", "a day without input, and both wishes", settings=u8(1) + u32(1440) + u8(1) + u8(1),
         minutes=1440, locks_on_resign=True, excluded=True)
    vector("diary/settings_beyond_a_day.txt", "more minutes than a day has", INVALID,
           settings=u8(1) + u32(1441) + u8(0) + u8(0))
    vector("diary/settings_flag_two.txt", "a wish that is neither", INVALID, settings=u8(1) + u32(5) + u8(2) + u8(0))
    good("diary/template_good.txt", "a template with a tag", template=u8(1) + field("Trip") + u32(1) + field("out")
         + field("# {{date}}\n"), name=b"Trip", tags=field("out"), text=b"# {{date}}\n")
    vector("diary/template_truncated.txt", "a template without a text", TRUNCATED,
           template=u8(1) + field("Trip") + u32(0))
    names = identifier("newest entry"), identifier("older entry")
    good("diary/timeline_good.txt", "two entries", timeline=u8(1) + u64(77) + u32(2) + b"".join(names), sequence=77,
         entries=b"".join(names))
    vector("diary/timeline_truncated.txt", "fewer entries than it says", TRUNCATED,
           timeline=u8(1) + u64(77) + u32(2) + names[0])


# specs/diary.md, "Recovery key" ------------------------------------------------------------------------------------

ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"


def recovery_text(key):
    bits = int.from_bytes(key, "big") << 2
    digits = [ALPHABET[bits >> 5 * (25 - place) & 31] for place in range(26)]
    check = 1
    for byte in key:
        check = (37 * check + byte + 1) % 1021
    digits += [ALPHABET[check >> 5], ALPHABET[check & 31]]
    return "-".join("".join(digits[start:start + 4]) for start in range(0, 28, 4))


def make_recovery_keys():
    key = named("recovery key", 16)
    shown = recovery_text(key)
    good("diary/recovery_key_good.txt", "as it is shown", key=key, shown=shown.encode())
    typed = shown.lower().replace("-", " ").replace("0", "o").replace("1", "l")
    good("diary/recovery_key_typed_good.txt", "in small letters, with spaces, O for 0 and L for 1", key=key,
         typed=typed.encode())
    for name, about, wrong in [
            ("swapped", "two digits in each other's place", shown[1] + shown[0] + shown[2:]),
            ("another_digit", "a digit that is the next one", ALPHABET[(ALPHABET.index(shown[0]) + 1) % 32] + shown[1:]),
            ("short", "a digit too few", shown[:-1]), ("long", "a digit too many", shown + "0"),
            ("letter_u", "a letter that is no digit", "U" + shown[1:])]:
        assert wrong != shown, name
        vector(f"diary/recovery_key_{name}.txt", about, ("decoder", "nil"), typed=wrong.encode())


def make_all():
    make_headers()
    make_others()
    make_recovery_keys()
