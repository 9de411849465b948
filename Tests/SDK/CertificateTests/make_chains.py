#!/usr/bin/env python3
"""Makes chains of certificates from a seed, and lets OpenSSL judge each of them.

    make_chains.py FOLDER [--seed 1] [--count 200]

Each chain gets a folder with leaf.pem, roots.pem and, where there are any, intermediates.pem. FOLDER/chains.json, which
is printed too, says of each what it is, for which host and time it was judged, and which errors OpenSSL named: none
for a chain that it trusts. Keys come from the seed; ECDSA signatures do not, which changes no verdict.
"""
import argparse
import datetime
import ipaddress
import json
import pathlib
import random
import re
import subprocess

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID, ObjectIdentifier

NOW = datetime.datetime(2026, 6, 1, tzinfo=datetime.timezone.utc)
DAY = datetime.timedelta(days=1)
KINDS = [
    "good", "good wildcard", "good address", "good path length", "good name constraints", "good with strangers",
    "expired", "not yet valid", "wrong name", "wrong address", "untrusted root", "root of the same name",
    "self-signed", "path length", "name constraints", "excluded name", "not a CA", "no basic constraints",
    "may not sign", "bad signature", "signed by another", "missing intermediate", "unknown critical extension",
    "wrong purpose", "critical policies",
]


class Keys:
    """A few keys of each kind from the seed; making RSA keys anew for each chain would take minutes."""

    def __init__(self, rng):
        self.rng = rng
        self.rsa = [self.make_rsa() for _ in range(4)]

    def make_rsa(self):
        while True:
            p, q = self.prime(), self.prime()
            if p == q or (p * q).bit_length() != 2048:
                continue
            d = pow(65537, -1, (p - 1) * (q - 1))
            numbers = rsa.RSAPrivateNumbers(
                p, q, d, d % (p - 1), d % (q - 1), pow(q, -1, p), rsa.RSAPublicNumbers(65537, p * q))
            return numbers.private_key()

    def prime(self):
        while True:
            n = self.rng.getrandbits(1024) | 1 | 3 << 1022
            if all(n % small for small in (3, 5, 7, 11, 13, 17, 19, 23)) and n % 65537 != 1 and self.is_prime(n):
                return n

    def is_prime(self, n):
        """Miller and Rabin's test, by twenty bases."""
        s = ((n - 1) & -(n - 1)).bit_length() - 1
        for _ in range(20):
            x = pow(self.rng.randrange(2, n - 1), n >> s, n)
            if x in (1, n - 1):
                continue
            for _ in range(s - 1):
                x = x * x % n
                if x == n - 1:
                    break
            else:
                return False
        return True

    def pick(self, avoid=()):
        while True:
            kind = self.rng.choice(["rsa", "p256", "p256", "p384", "p521", "ed25519"])
            if kind == "rsa":
                key = self.rng.choice(self.rsa)
            elif kind == "ed25519":
                key = ed25519.Ed25519PrivateKey.from_private_bytes(self.rng.randbytes(32))
            else:
                curve = {"p256": ec.SECP256R1(), "p384": ec.SECP384R1(), "p521": ec.SECP521R1()}[kind]
                key = ec.derive_private_key(self.rng.getrandbits(curve.key_size - 8) + 1, curve)
            if key not in avoid:
                return key


def name(text):
    return x509.Name([
        x509.NameAttribute(NameOID.ORGANIZATION_NAME, "Tresor tests"), x509.NameAttribute(NameOID.COMMON_NAME, text)])


class Part:
    """One certificate to be, and how it differs from a good one."""

    def __init__(self, text, key):
        self.text, self.key = text, key
        self.start, self.end = NOW - 300 * DAY, NOW + 300 * DAY
        self.ca, self.basic, self.usage, self.path = True, True, True, None
        self.hosts, self.purposes, self.constraints, self.more = [], [], None, []
        self.signer = None

    def build(self, issuer, rng):
        builder = (
            x509.CertificateBuilder().subject_name(name(self.text)).issuer_name(name(issuer.text))
            .public_key(self.key.public_key()).serial_number(rng.getrandbits(120) + 1)
            .not_valid_before(self.start).not_valid_after(self.end)
            .add_extension(x509.SubjectKeyIdentifier.from_public_key(self.key.public_key()), False)
            .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(issuer.key.public_key()), False))
        if self.basic:
            builder = builder.add_extension(x509.BasicConstraints(self.ca, self.path if self.ca else None), True)
        if self.usage:
            signs = self.ca and self.usage != "not to sign"
            builder = builder.add_extension(
                x509.KeyUsage(not self.ca, False, False, False, False, signs, self.ca, False, False), True)
        if self.hosts:
            builder = builder.add_extension(x509.SubjectAlternativeName(self.hosts), False)
        if self.purposes:
            builder = builder.add_extension(x509.ExtendedKeyUsage(self.purposes), False)
        if self.constraints:
            builder = builder.add_extension(self.constraints, True)
        for extension, critical in self.more:
            builder = builder.add_extension(extension, critical)
        key = self.signer or issuer.key
        if isinstance(key, ed25519.Ed25519PrivateKey):
            return builder.sign(key, None)
        return builder.sign(key, rng.choice([hashes.SHA256(), hashes.SHA384(), hashes.SHA512()]))


def constraints(permitted=None, excluded=None):
    def subtrees(text):
        return [x509.DNSName(text)] if text else None
    return x509.NameConstraints(subtrees(permitted), subtrees(excluded))


def broken(certificate):
    """The same with another last byte in its signature."""
    der = bytearray(certificate.public_bytes(serialization.Encoding.DER))
    der[-1] ^= 1
    return x509.load_der_x509_certificate(bytes(der))


def make(number, kind, keys, rng, folder):
    """Makes one chain; returns what the manifest says of it."""
    needs_two = kind in ("path length", "good path length")
    needs_one = kind in ("not a CA", "no basic constraints", "may not sign", "missing intermediate")
    depth = 2 if needs_two else rng.randint(1 if needs_one else 0, 2)
    parts = [Part(f"Root {number}", keys.pick())]
    for level in range(depth):
        parts.append(Part(f"Intermediate {number}.{level}", keys.pick([part.key for part in parts])))
    host = f"host{number}.example.org"
    leaf = Part(host, keys.pick([part.key for part in parts]))
    leaf.ca, leaf.hosts = False, [x509.DNSName("other.example.net"), x509.DNSName(host)]
    leaf.purposes = [ExtendedKeyUsageOID.SERVER_AUTH] if rng.random() < 0.7 else []
    parts.append(leaf)
    root, authority, strangers, leaves_out = parts[0], parts[-2], [], False

    if kind == "good wildcard":
        leaf.hosts = [x509.DNSName("*.example.org")]
    elif kind == "good address":
        host = "192.0.2.7"
        leaf.hosts = [x509.IPAddress(ipaddress.ip_address(host))]
    elif kind == "good path length":
        root.path, parts[1].path, parts[2].path = 2, 1, 0
    elif kind == "good name constraints":
        authority.constraints = constraints("example.org", "secret.example.org")
        leaf.hosts = [x509.DNSName(host)]
    elif kind == "good with strangers":
        strangers = [Part(f"Stranger {index}", keys.pick()) for index in range(3)]
    elif kind == "expired":
        part = rng.choice(parts)
        part.start, part.end = NOW - 90 * DAY, NOW - rng.randint(1, 80) * DAY
    elif kind == "not yet valid":
        part = rng.choice(parts)
        part.start = NOW + rng.randint(1, 80) * DAY
    elif kind == "wrong name":
        leaf.hosts = [x509.DNSName(rng.choice(["example.org", "a." + host, "*." + host, host + ".net"]))]
    elif kind == "wrong address":
        host = "192.0.2.7"
        leaf.hosts = [x509.DNSName("example.org"), x509.IPAddress(ipaddress.ip_address("192.0.2.8"))]
    elif kind == "path length":
        rng.choice(parts[:2]).path = 0
    elif kind == "name constraints":
        authority.constraints = constraints("example.com")
    elif kind == "excluded name":
        authority.constraints = constraints(None, "example.org")
    elif kind == "not a CA":
        rng.choice(parts[1:-1]).ca = False
    elif kind == "no basic constraints":
        part = rng.choice(parts[1:-1])
        part.basic = part.usage = False
    elif kind == "may not sign":
        rng.choice(parts[1:-1]).usage = "not to sign"
    elif kind == "signed by another":
        rng.choice(parts[1:]).signer = keys.pick([part.key for part in parts])
    elif kind == "missing intermediate":
        leaves_out = True
    elif kind == "unknown critical extension":
        extension = x509.UnrecognizedExtension(ObjectIdentifier("1.3.6.1.4.1.55555.1"), b"\x05\x00")
        rng.choice(parts).more.append((extension, True))
    elif kind == "wrong purpose":
        rng.choice(parts[1:]).purposes = [ExtendedKeyUsageOID.CLIENT_AUTH]
    elif kind == "critical policies":
        policy = x509.PolicyInformation(ObjectIdentifier("1.3.6.1.4.1.55555.2"), None)
        for part in parts[1:]:
            part.more.append((x509.CertificatePolicies([policy]), True))

    if kind == "self-signed":
        parts = [root, leaf]
        certificates = [root.build(root, rng), leaf.build(leaf, rng)]
    else:
        certificates = [part.build(parts[max(index - 1, 0)], rng) for index, part in enumerate(parts)]
    if kind == "bad signature":
        index = rng.randrange(1, len(certificates))
        certificates[index] = broken(certificates[index])
    roots = [certificates[0]]
    if kind == "untrusted root":
        other = Part("Another root", keys.pick())
        roots = [other.build(other, rng)]
    elif kind == "root of the same name":
        other = Part(root.text, keys.pick([part.key for part in parts]))
        roots = [other.build(other, rng)]
    between = certificates[1:-1]
    if leaves_out:
        del between[rng.randrange(len(between))]
    between += [part.build(part, rng) for part in strangers]
    rng.shuffle(between)

    place = folder / f"{number:03}"
    place.mkdir()
    write(place / "leaf.pem", certificates[-1:])
    write(place / "roots.pem", roots)
    if between:
        write(place / "intermediates.pem", between)
    return {"folder": place.name, "kind": kind, "host": host, "at": int(NOW.timestamp()), "errors": judge(place, host)}


def write(path, certificates):
    path.write_bytes(b"".join(one.public_bytes(serialization.Encoding.PEM) for one in certificates))


def judge(place, host):
    """The numbers of the errors that `openssl verify` names."""
    option = "-verify_ip" if host[0].isdigit() else "-verify_hostname"
    command = [
        "openssl", "verify", "-no-CApath", "-no-CAstore", "-attime", str(int(NOW.timestamp())), "-purpose",
        "sslserver", option, host, "-CAfile", str(place / "roots.pem")]
    if (place / "intermediates.pem").exists():
        command += ["-untrusted", str(place / "intermediates.pem")]
    run = subprocess.run(command + [str(place / "leaf.pem")], capture_output=True, text=True, check=False)
    errors = [int(number) for number in re.findall(r"^error (\d+) at", run.stdout + run.stderr, re.MULTILINE)]
    if (run.returncode == 0) != (not errors):
        raise SystemExit(f"{place}: OpenSSL said neither yes nor why not: {run.stdout}{run.stderr}")
    return errors


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("folder", type=pathlib.Path)
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--count", type=int, default=200)
    options = arguments.parse_args()
    rng = random.Random(options.seed)
    keys = Keys(rng)
    options.folder.mkdir(parents=True, exist_ok=True)
    chains = [make(n, KINDS[n % len(KINDS)], keys, rng, options.folder) for n in range(options.count)]
    text = json.dumps(chains, indent=1)
    (options.folder / "chains.json").write_text(text)
    print(text)


main()
