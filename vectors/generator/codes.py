"""one-time-code: specs/one-time-code.md."""

import base64
import hmac
import struct

from generator.core import good, vector

MALFORMED = ("decoder", "malformed")
COUNTER_BASED = ("decoder", "counterBased")
UNSUPPORTED = ("decoder", "unsupported")

# The seeds of both RFCs: the digits 1 to 9 and 0, as often as the hash is long.
SEEDS = {"SHA1": b"1234567890" * 2, "SHA256": (b"1234567890" * 4)[:32], "SHA512": (b"1234567890" * 7)[:64]}

# RFC 4226, appendix D, "HOTP".
COUNTED = "755224 287082 359152 969429 338314 254676 287922 162583 399871 520489".split()

# RFC 6238, appendix B.
TIMES = [59, 1111111109, 1111111111, 1234567890, 2000000000, 20000000000]
TIMED = {
    "SHA1": "94287082 07081804 14050471 89005924 69279037 65353130".split(),
    "SHA256": "46119246 68084774 67062674 91819424 90698825 77737706".split(),
    "SHA512": "90693936 25091201 99943326 93441116 38618901 47863826".split(),
}


def counted(secret, counter, algorithm="SHA1", digits=6):
    """RFC 4226, 5.3."""
    hashed = hmac.new(secret, struct.pack(">Q", counter), algorithm.lower()).digest()
    start = hashed[-1] & 15
    number = struct.unpack(">I", hashed[start:start + 4])[0] & 0x7FFFFFFF
    return str(number % 10**digits).zfill(digits)


def timed(secret, time, algorithm="SHA1", digits=6, period=30):
    """RFC 6238, 4.2, with T0 = 0."""
    return counted(secret, time // period, algorithm, digits)


def published():
    for counter, code in enumerate(COUNTED):
        assert counted(SEEDS["SHA1"], counter) == code
        good(f"one-time-code/rfc4226_counter_{counter}.txt", "a code by a counter", source="RFC 4226, appendix D",
             key=SEEDS["SHA1"], algorithm="SHA1", digits=6, counter=counter, code=code)
    for algorithm, codes in TIMED.items():
        for time, code in zip(TIMES, codes):
            assert timed(SEEDS[algorithm], time, algorithm, 8) == code
            good(f"one-time-code/rfc6238_{algorithm.lower()}_{time}.txt", "a code by the time",
                 source="RFC 6238, appendix B", key=SEEDS[algorithm], algorithm=algorithm, digits=8, period=30,
                 time=time, code=code)


TIME = 1750000000
KEY = bytes(range(0x41, 0x4B))
LETTERS = base64.b32encode(KEY).decode()


def accepted(name, about, text, key=KEY, algorithm="SHA1", digits=6, period=30, issuer="none", account="none"):
    good(f"one-time-code/{name}.txt", about, text=text.encode() if isinstance(text, str) else text, key=key,
         algorithm=algorithm, digits=digits, period=period,
         issuer=issuer if issuer == "none" else issuer.encode(),
         account=account if account == "none" else account.encode(), time=TIME,
         code=timed(key, TIME, algorithm, digits, period))


def bare():
    accepted("bare_good", "a secret alone: SHA-1, six digits, 30 seconds", LETTERS)
    accepted("bare_lower_case", "in lower case", LETTERS.lower())
    accepted("bare_groups", "in groups, as people copy it", " ".join(LETTERS[i:i + 4] for i in range(0, 16, 4)))
    accepted("bare_blanks_around", "with spaces, a tab and a line end around it", f" \t{LETTERS}\r\n")
    for count, padding in [(1, 6), (2, 4), (3, 3), (4, 1)]:
        key = KEY[:count] * 1
        text = base64.b32encode(key).decode()
        assert text.endswith("=" * padding)
        accepted(f"bare_{count}_bytes", f"{count} bytes without padding", text.rstrip("="), key=key)
        accepted(f"bare_{count}_bytes_padded", f"{count} bytes with padding", text, key=key)
    accepted("bare_stray_bits", "bits behind the last byte that are not zero are dropped", "IF", key=b"A")
    accepted("bare_128_bytes", "the longest secret", base64.b32encode(bytes(128)).decode(), key=bytes(128))
    for name, about, text in [
        ("bare_empty", "nothing", ""),
        ("bare_blanks", "spaces alone", "   "),
        ("bare_padding_alone", "padding alone", "========"),
        ("bare_digit_one", "1 is no letter of base32", "JBSWY3DP1"),
        ("bare_one_letter", "one letter says no byte", "J"),
        ("bare_three_letters", "the third letter says no byte", "JBS"),
        ("bare_six_letters", "the sixth letter says no byte", "JBSWY3"),
        ("bare_padding_too_short", "padding that does not fill the last eight", "IE====="),
        ("bare_padding_too_long", "one padding sign too many", "IE======="),
        ("bare_padding_for_nothing", "padding behind eight letters", LETTERS + "========"),
        ("bare_padding_inside", "padding before a letter", "IE======IE"),
        ("bare_129_bytes", "one byte above the longest secret", base64.b32encode(bytes(129)).decode()),
        ("bare_4097_bytes", "a text above its limit", LETTERS + " " * 4081),
        ("bare_line_end_inside", "a line end inside", "JBSW\nY3DP"),
        ("bare_nul_behind", "a zero byte behind it", LETTERS + "\0"),
        ("bare_hexadecimal", "a secret in hexadecimal", "00112233"),
    ]:
        vector(f"one-time-code/{name}.txt", about, MALFORMED, text=text.encode())


def address(label="Example:anna", **parameters):
    parameters = {"secret": LETTERS, **parameters}
    query = "&".join(f"{name}={value}" for name, value in parameters.items() if value is not None)
    return f"otpauth://totp/{label}?{query}"


def addresses():
    names = {"issuer": "Example", "account": "anna"}
    accepted("uri_good", "an address with everything in it",
             address("Example:anna%40example.org", issuer="Example", algorithm="SHA1", digits=6, period=30),
             issuer="Example", account="anna@example.org")
    accepted("uri_secret_alone", "the defaults", address(), **names)
    accepted("uri_sha256_8_60", "another algorithm, length and period",
             address(algorithm="SHA256", digits=8, period=60), algorithm="SHA256", digits=8, period=60, **names)
    accepted("uri_sha512_7_1", "the shortest period", address(algorithm="SHA512", digits=7, period=1),
             algorithm="SHA512", digits=7, period=1, **names)
    accepted("uri_period_300", "the longest period", address(period=300), period=300, **names)
    accepted("uri_lower_case", "scheme, type and algorithm in another case",
             address(algorithm="sha256").replace("otpauth://totp", "OTPAUTH://Totp"), algorithm="SHA256", **names)
    accepted("uri_secret_lower_padded", "a secret in lower case with padding and spaces, escaped",
             address(secret="ifbe%20gra%3D"), key=base64.b32decode("IFBEGRA="), **names)
    accepted("uri_label_empty", "no label", address(""))
    accepted("uri_label_account", "a label without an issuer", address("anna"), account="anna")
    accepted("uri_label_spaces", "spaces behind the colon", address("Example%3A%20%20anna"), **names)
    accepted("uri_label_slash", "a slash in the label", address("Example:a/b"), issuer="Example", account="a/b")
    accepted("uri_issuer_counts", "two issuers: the parameter counts", address(issuer="Other%20Co"), issuer="Other Co",
             account="anna")
    accepted("uri_issuer_empty", "an empty issuer is none", address(issuer=""), **names)
    accepted("uri_utf8", "letters beyond ASCII, escaped and not", address("B%C3%A4r:ännä"), issuer="Bär", account="ännä")
    accepted("uri_plus", "a plus sign is no space", address(issuer="A+B"), issuer="A+B", account="anna")
    accepted("uri_unknown_parameter", "a parameter that is not known", address(image="https%3A%2F%2Fa.example%2Fb.png"),
             **names)
    accepted("uri_counter_beside", "a counter in an address of codes by time", address(counter=7), **names)
    accepted("uri_line_end_behind", "a line end behind it", address() + "\n", **names)
    refused = {
        "uri_hotp": ("codes by a counter", COUNTER_BASED, address(counter=0).replace("totp", "hotp")),
        "uri_hotp_without_secret": ("codes by a counter, whatever follows", COUNTER_BASED, "otpauth://hotp/x"),
        "uri_other_type": ("a type that is not known", UNSUPPORTED, address().replace("totp", "yaotp")),
        "uri_steam": ("letters in place of digits", UNSUPPORTED, "steam://" + LETTERS),
        "uri_encoder": ("an encoder of its own", UNSUPPORTED, address(encoder="steam")),
        "uri_md5": ("another algorithm", UNSUPPORTED, address(algorithm="MD5")),
        "uri_digits_5": ("too few digits", UNSUPPORTED, address(digits=5)),
        "uri_digits_9": ("too many digits", UNSUPPORTED, address(digits=9)),
        "uri_period_0": ("no period at all", UNSUPPORTED, address(period=0)),
        "uri_period_301": ("a period above its bound", UNSUPPORTED, address(period=301)),
        "uri_period_four_digits": ("a number of four digits", MALFORMED, address(period=3000)),
        "uri_digits_leading_zero": ("one number has one form", MALFORMED, address(digits="06")),
        "uri_digits_sign": ("a sign before a number", MALFORMED, address(digits="+6")),
        "uri_digits_empty": ("no number", MALFORMED, address(digits="")),
        "uri_digits_escaped": ("an escaped digit", MALFORMED, address(digits="%36")),
        "uri_without_secret": ("no secret", MALFORMED, address(secret=None, digits=6)),
        "uri_secret_empty": ("an empty secret", MALFORMED, address(secret="")),
        "uri_secret_not_base32": ("a secret that is no base32", MALFORMED, address(secret="JBSWY3D1")),
        "uri_secret_twice": ("two secrets", MALFORMED, address() + "&secret=" + LETTERS),
        "uri_period_twice": ("two periods", MALFORMED, address(period=30) + "&period=30"),
        "uri_without_query": ("no question mark", MALFORMED, "otpauth://totp/Example:anna"),
        "uri_query_empty": ("nothing behind the question mark", MALFORMED, "otpauth://totp/Example:anna?"),
        "uri_without_label": ("no slash behind the type", MALFORMED, "otpauth://totp?secret=" + LETTERS),
        "uri_trailing_ampersand": ("an ampersand at the end", MALFORMED, address() + "&"),
        "uri_parameter_without_value": ("a parameter without an equals sign", MALFORMED, address() + "&issuer"),
        "uri_fragment": ("a fragment", MALFORMED, address() + "#x"),
        "uri_space_inside": ("a space that is not escaped", MALFORMED, address("Example:anna b")),
        "uri_line_end_inside": ("a line end inside", MALFORMED, address("Example:\nanna")),
        "uri_control_escaped": ("an escaped control character in a name", MALFORMED, address("Example:%1Banna")),
        "uri_percent_alone": ("a percent sign without digits", MALFORMED, address("100%")),
        "uri_percent_one_digit": ("a percent sign with one digit at the end", MALFORMED, address() + "&issuer=%4"),
        "uri_label_not_utf8": ("a name that is not UTF-8", MALFORMED, address("%FF")),
        "uri_other_scheme": ("another scheme", MALFORMED, address().replace("otpauth:", "https:")),
        "uri_one_slash": ("one slash behind the scheme", MALFORMED, address().replace("//", "/")),
        "uri_migration": ("several accounts in one address, as authenticators move them", MALFORMED,
                          "otpauth-migration://offline?data=CjEK"),
    }
    for name, (about, error, text) in refused.items():
        vector(f"one-time-code/{name}.txt", about, error, text=text.encode())


def make_all():
    published()
    bare()
    addresses()
