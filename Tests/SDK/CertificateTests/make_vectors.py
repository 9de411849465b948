#!/usr/bin/env python3
"""Makes the files under Vectors/ anew, with OpenSSL, and by hand where OpenSSL does not write the form.

    make_vectors.py

Needs openssl and python3 with `cryptography`. Keys, salts and signatures are fresh each time, and so is every file;
the tests ask for what stays the same. The passphrase is "correct horse" everywhere but where a name says another.
"""
import base64
import hashlib
import hmac
import pathlib
import subprocess
import tempfile

FOLDER = pathlib.Path(__file__).parent / "Vectors"
PASS = "correct horse"


def openssl(*arguments):
    subprocess.run(["openssl", *map(str, arguments)], check=True, capture_output=True)


def tlv(tag, *parts):
    content = b"".join(parts)
    if len(content) < 0x80:
        return bytes([tag, len(content)]) + content
    length = len(content).to_bytes((len(content).bit_length() + 7) // 8, "big")
    return bytes([tag, 0x80 | len(length)]) + length + content


def read(data, at=0):
    """Tag, content and end of the element at `at`."""
    length, start = data[at + 1], at + 2
    if length & 0x80:
        count = length & 0x7F
        length, start = int.from_bytes(data[start:start + count], "big"), start + count
    return data[at], data[start:start + length], start + length


def integer(number):
    return tlv(2, number.to_bytes(number.bit_length() // 8 + 1, "big"))


def oid(text):
    arcs = [int(arc) for arc in text.split(".")]
    out = b""
    for arc in [arcs[0] * 40 + arcs[1]] + arcs[2:]:
        groups = [arc & 0x7F]
        while arc := arc >> 7:
            groups.append(arc & 0x7F | 0x80)
        out += bytes(reversed(groups))
    return tlv(6, out)


def keys():
    for name, curve in (("p256", "P-256"), ("p384", "P-384"), ("p521", "P-521")):
        openssl("genpkey", "-algorithm", "EC", "-pkeyopt", f"ec_paramgen_curve:{curve}", "-out", FOLDER / f"{name}.pem")
        openssl("ec", "-in", FOLDER / f"{name}.pem", "-out", FOLDER / f"{name}-sec1.pem")
    openssl("genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048", "-out", FOLDER / "rsa.pem")
    openssl("rsa", "-traditional", "-in", FOLDER / "rsa.pem", "-out", FOLDER / "rsa-pkcs1.pem")
    openssl("genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:1024", "-out", FOLDER / "rsa-1024.pem")
    openssl("genpkey", "-algorithm", "ED25519", "-out", FOLDER / "ed25519.pem")
    openssl("ecparam", "-name", "secp256k1", "-genkey", "-noout", "-out", FOLDER / "secp256k1-sec1.pem")
    openssl("ecparam", "-name", "prime256v1", "-genkey", "-out", FOLDER / "with-parameters.pem")
    openssl("pkcs8", "-topk8", "-nocrypt", "-in", FOLDER / "p256.pem", "-outform", "DER", "-out", FOLDER / "p256.der")


def encrypted_keys():
    for prf in ("hmacWithSHA1", "hmacWithSHA256", "hmacWithSHA384", "hmacWithSHA512"):
        for cipher in ("aes-128-cbc", "aes-192-cbc", "aes-256-cbc"):
            convert(f"encrypted-{prf[8:].lower()}-{cipher[:7]}", "-v2", cipher, "-v2prf", prf, "-iter", "2000")
    convert("encrypted-scrypt", "-v2", "aes-256-cbc", "-scrypt")
    convert("encrypted-3des", "-v2", "des3")
    convert("encrypted-legacy", "-v1", "PBE-SHA1-3DES")
    openssl(
        "ec", "-in", FOLDER / "p256.pem", "-aes128", "-passout", f"pass:{PASS}", "-out", FOLDER / "proc-type.pem")


def convert(name, *options):
    openssl(
        "pkcs8", "-topk8", "-in", FOLDER / "p256.pem", "-passout", f"pass:{PASS}", *options, "-out",
        FOLDER / f"{name}.pem")


def certificates():
    for name in ("p256", "p384", "p521", "rsa", "ed25519"):
        openssl(
            "req", "-x509", "-new", "-key", FOLDER / f"{name}.pem", "-days", "36500", "-subj",
            f"/O=Tresor tests/CN={name}.example", "-addext", "subjectAltName=DNS:" + name + ".example", "-out",
            FOLDER / f"{name}-certificate.pem")
    openssl(
        "req", "-x509", "-new", "-key", FOLDER / "rsa-1024.pem", "-days", "36500", "-subj", "/CN=weak", "-out",
        FOLDER / "rsa-1024-certificate.pem")
    openssl(
        "x509", "-in", FOLDER / "p256-certificate.pem", "-outform", "DER", "-out", FOLDER / "p256-certificate.der")


def pkcs12(name, *options, key="p256", passphrase=PASS):
    openssl(
        "pkcs12", "-export", "-inkey", FOLDER / f"{key}.pem", "-in", FOLDER / f"{key}-certificate.pem", "-name",
        "Grüße", "-passout", f"pass:{passphrase}", *options, "-out", FOLDER / f"{name}.p12")


def pkcs12_files():
    pkcs12("default")
    for digest in ("sha1", "sha384", "sha512"):
        pkcs12(f"mac-{digest}", "-macalg", digest)
    for key in ("rsa", "p384", "p521", "ed25519"):
        pkcs12(key, key=key)
    pkcs12("few-rounds", "-iter", "2")
    pkcs12("empty-passphrase", passphrase="")
    pkcs12("unicode-passphrase", passphrase="grüße 🗝")
    pkcs12("bare-key", "-keypbe", "NONE", "-certpbe", "NONE")
    pkcs12("without-mac", "-nomac")
    pkcs12("legacy", "-legacy")
    pkcs12("legacy-key", "-keypbe", "PBE-SHA1-3DES")
    pkcs12("3des", "-keypbe", "DES-EDE3-CBC")
    with tempfile.NamedTemporaryFile() as other:
        subprocess.run(
            ["cat", FOLDER / "rsa-certificate.pem", FOLDER / "p384-certificate.pem"], stdout=other, check=True)
        other.flush()
        pkcs12("with-more-certificates", "-certfile", other.name)


def rewritten():
    """Forms that OpenSSL 3.0 does not write."""
    whole = (FOLDER / "default.p12").read_bytes()
    _, pfx, _ = read(whole)
    _, _, version_end = read(pfx)
    _, _, safe_end = read(pfx, version_end)
    version, info, mac = pfx[:version_end], pfx[version_end:safe_end], pfx[safe_end:]
    _, content, _ = read(info)
    _, _, kind_end = read(content)
    message = read(read(content, kind_end)[1])[1]

    salt = bytes(range(16))
    key = hashlib.pbkdf2_hmac("sha256", PASS.encode(), salt, 2048, 32)
    sha256 = tlv(0x30, oid("1.2.840.113549.2.9"), tlv(5))
    derivation = tlv(
        0x30, oid("1.2.840.113549.1.5.12"), tlv(0x30, tlv(4, salt), integer(2048), integer(32), sha256))
    pbmac1 = tlv(0x30, oid("1.2.840.113549.1.5.14"), tlv(0x30, derivation, sha256))
    code = hmac.digest(key, message, "sha256")
    check = tlv(0x30, tlv(0x30, pbmac1, tlv(4, code)), tlv(4, b"not used"), integer(1))
    (FOLDER / "pbmac1.p12").write_bytes(tlv(0x30, version, info, check))

    _, fields, _ = read(mac)
    _, _, digest_end = read(fields)
    _, _, salt_end = read(fields, digest_end)
    for name, rounds in (("bomb", 10_000_001), ("large-bomb", 2**40)):
        bomb = tlv(0x30, fields[:salt_end], integer(rounds))
        (FOLDER / f"{name}.p12").write_bytes(tlv(0x30, version, info, bomb))
    (FOLDER / "ber.p12").write_bytes(b"\x30\x80" + version + info + mac + b"\x00\x00")
    pieces = tlv(0x24, tlv(4, message[:100]), tlv(4, message[100:]))
    in_pieces = tlv(0x30, content[:kind_end], tlv(0xA0, pieces))
    (FOLDER / "pieces.p12").write_bytes(tlv(0x30, version, in_pieces, mac))


def chain_file():
    """A leaf, its key and a list of others, with text between them as `openssl pkcs12` writes it."""
    parts = ["Bag Attributes\n    friendlyName: p256\n", (FOLDER / "p256-certificate.pem").read_text()]
    parts += ["Key Attributes: <No Attributes>\n", (FOLDER / "p256.pem").read_text()]
    parts += [(FOLDER / f"{name}.pem").read_text() for name in ("rsa-certificate", "rsa-pkcs1", "p384-sec1")]
    (FOLDER / "bundle.pem").write_text("".join(parts))
    (FOLDER / "bundle-crlf.pem").write_bytes("".join(parts).replace("\n", "\r\n").encode())
    der = (FOLDER / "p256-certificate.der").read_bytes()
    long = base64.b64encode(der).decode()
    (FOLDER / "one-line.pem").write_text(f"-----BEGIN CERTIFICATE-----\n{long}\n-----END CERTIFICATE-----\n")


def main():
    FOLDER.mkdir(exist_ok=True)
    keys()
    encrypted_keys()
    certificates()
    pkcs12_files()
    rewritten()
    chain_file()


main()
