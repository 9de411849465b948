"""What every generator shares: the files, the fields, the ciphers, and the fixed inputs."""

import hashlib
import hmac
import struct

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.kdf.scrypt import Scrypt

files = {}


# Vector files ------------------------------------------------------------------------------------------------------


def text(value):
    if isinstance(value, bytes):
        return value.hex() or "-"
    if isinstance(value, bool):
        return "1" if value else "0"
    return str(value)


def vector(path, about, expect, **fields):
    """One behaviour. `expect` is "success", or (layer, error) for a refusal."""
    lines = [f"spec: {path.split('/')[0]}"]
    if expect == "success":
        lines.append("expect: success")
    else:
        lines += [f"expect: refused by {expect[0]}", f"error: {expect[1]}"]
    lines.append(f"about: {about}")
    lines += [f"{name}: {text(value)}" for name, value in fields.items()]
    assert path not in files, path
    files[path] = "\n".join(lines) + "\n"


def good(path, about, **fields):
    vector(path, about, "success", **fields)


# Encoding ----------------------------------------------------------------------------------------------------------


def u8(value):
    return struct.pack(">B", value)


def u16(value):
    return struct.pack(">H", value)


def u32(value):
    return struct.pack(">I", value)


def u64(value):
    return struct.pack(">Q", value)


def i64(value):
    return struct.pack(">q", value)


def field(value):
    if isinstance(value, str):
        value = value.encode()
    return u32(len(value)) + value


def flip(data, offset, bit=0):
    changed = bytearray(data)
    changed[offset] ^= 1 << bit
    return bytes(changed)


def frame(payload):
    return u32(len(payload)) + payload


# Cryptography ------------------------------------------------------------------------------------------------------


def named(name, count=32):
    """Fixed bytes in the place of random ones."""
    return hashlib.sha256(b"tresor vector " + name.encode()).digest()[:count]


def identifier(name):
    return named("identifier " + name, 16)


def nonce_of(name):
    return named("nonce " + name, 12)


def seal(key, nonce, plaintext, aad):
    return nonce + AESGCM(key).encrypt(nonce, plaintext, aad)


def hkdf(secret, salt, info):
    return HKDF(algorithm=hashes.SHA256(), length=32, salt=salt, info=info.encode()).derive(secret)


def mac(key, message):
    return hmac.new(key, message, hashlib.sha256).digest()


def public_key(private):
    key = X25519PrivateKey.from_private_bytes(private).public_key()
    return key.public_bytes(serialization.Encoding.Raw, serialization.PublicFormat.Raw)


ROOT = bytes(range(32))
KEYBAG = identifier("keybag")
KEYCHAIN = identifier("keychain")
ITEM = identifier("item")
OTHER_ITEM = identifier("other item")
TAMPER = identifier("tamper check")
SALT = named("salt")
PASSCODE = b"correct horse"

DEVICE_KEK = hkdf(ROOT, KEYBAG, "tresor device kek v1")
STATE_KEY = hkdf(ROOT, b"", "tresor enclave state v1")
STRETCHED = Scrypt(salt=SALT, length=32, n=1 << 15, r=8, p=1).derive(PASSCODE)
PASSCODE_KEK = hkdf(STRETCHED + ROOT, KEYBAG, "tresor passcode kek v1")
