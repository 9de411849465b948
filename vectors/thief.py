#!/usr/bin/env python3
"""Plays whoever has all files of a stopped device, its root key too, and no passcode.

It opens and writes what the specs say that such a one can: every class that is always open. Tests let it change a home and
see what the programs say of it.

    thief.py HOME list                              the items of class dku: service, account, secret in hexadecimal
    thief.py HOME write SERVICE ACCOUNT SECRET      puts other bytes (hexadecimal, - for none) into one
    thief.py HOME remove SERVICE ACCOUNT            removes one
    thief.py HOME generation NUMBER [WITNESS]       what the store says of the keybag's generation
    thief.py HOME meta NAME                         what stands in the store's table, in hexadecimal
    thief.py HOME promises NUMBER                   what the keybag promises, under the state key's MAC
    thief.py HOME cost                              of the passcode, as the power of two of scrypt's N
    thief.py HOME version1                          the keybag as 0.1 wrote it: no promises, no seal
"""

import os
import sqlite3
import sys
from pathlib import Path

sys.dont_write_bytecode = True

from cryptography.hazmat.primitives.ciphers.aead import AESGCM  # noqa: E402

from generator.core import field, hkdf, mac, u8, u32, u64  # noqa: E402
from generator.items import class_key_aad, metadata_key_aad, row_key_aad, table_key_aad  # noqa: E402

DKU = 11
SLOT = 16_384


def unseal(key, sealed, aad):
    return AESGCM(key).decrypt(sealed[:12], sealed[12:], aad)


def seal(key, plaintext, aad):
    nonce = os.urandom(12)
    return nonce + AESGCM(key).encrypt(nonce, plaintext, aad)


class Reader:
    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, count):
        self.at += count
        assert self.at <= len(self.data)
        return self.data[self.at - count:self.at]

    def number(self, count):
        return int.from_bytes(self.take(count), "big")

    def field(self):
        return self.take(self.number(4))


class Keybag:
    """specs/slot-file.md and specs/keybag.md."""

    def __init__(self, home):
        device = Path(home) / "enclave" / "device"
        self.path = device / "keybag"
        self.root = (device / "root.key").read_bytes()[5:37]
        self.state_key = hkdf(self.root, b"", "tresor enclave state v1")
        slot = Reader(self.path.read_bytes()[:SLOT])
        assert slot.take(5) == b"TRSL\1"
        self.generation, self.body = slot.number(8), slot.field()
        self.parse()

    def parse(self):
        body = Reader(self.body)
        self.version, self.id = body.number(1), body.take(16)
        self.cost = 0
        if body.number(1):
            body.field()
            self.cost = body.number(1)
            body.take(4)
        body.take(3)
        self.keys = {}
        kek = hkdf(self.root, self.id, "tresor device kek v1")
        for _ in range(body.number(1)):
            key_class, key_id, wrap, public, wrapped = (
                body.number(1), body.take(16), body.number(1), body.field(), body.take(60))
            if wrap == 1:
                aad = class_key_aad(self.id, key_id, key_class, wrap, public)
                self.keys[key_class] = (key_id, unseal(kek, wrapped, aad))
        body.take(16 * body.number(2))
        self.end = body.at

    def write(self, body):
        signed = b"TRSL\1" + u64(self.generation) + field(body)
        slot = signed + mac(self.state_key, field("tresor slot keybag v1") + signed)
        self.path.write_bytes(slot.ljust(SLOT, b"\0") * 2)


class Store:
    """specs/keychain-item.md, as far as class dku goes."""

    def __init__(self, home):
        self.bag = Keybag(home)
        self.database = sqlite3.connect(Path(home) / "keychain" / "keychain.sqlite")
        self.id = self.meta("keychain")
        self.class_key, key = self.bag.keys[DKU]
        row = self.one("SELECT wrapped FROM table_key WHERE class = ?", DKU)
        self.key, self.table = key, row and unseal(key, row[0], table_key_aad(self.class_key, self.id, DKU))

    def one(self, statement, *arguments):
        return self.database.execute(statement, arguments).fetchone()

    def meta(self, name):
        row = self.one("SELECT value FROM meta WHERE name = ?", name)
        return row[0] if row else b""

    def set_meta(self, name, value):
        self.database.execute("DELETE FROM meta WHERE name = ?", (name,))
        if value:
            self.database.execute("INSERT INTO meta VALUES (?, ?)", (name, value))
        self.database.commit()

    def items(self):
        rows = self.database.execute(
            "SELECT id, uuid, kind, sync, tombstone, tamper, metadata_key, metadata, row_key, secret FROM item"
            " WHERE class = ?", (DKU,)).fetchall()
        for number, uuid, kind, sync, tombstone, tamper, metadata_key, metadata, row_key, secret in rows:
            identity = self.id + uuid + u8(kind) + u8(DKU) + u8(sync) + u8(tombstone) + tamper
            key = unseal(self.table, metadata_key, metadata_key_aad(self.class_key, self.id, uuid))
            known = attributes(unseal(key, metadata, field("tresor keychain metadata v1") + identity))
            binding = (self.id + uuid + u8(kind) + u8(DKU) + u32(known.get("accc", 0)) + field(known["agrp"])
                       + known.get("kchk", b""))
            yield number, known, binding, identity, row_key, secret

    def find(self, service, account):
        for item in self.items():
            if (item[1].get("svce"), item[1].get("acct")) == (service, account):
                return item
        raise SystemExit("no such item")

    def read(self, item):
        _, _, binding, identity, row_key, secret = item
        key = unseal(self.key, row_key, row_key_aad(self.class_key, binding))
        return Reader(unseal(key, secret, field("tresor keychain secret v1") + identity)).field()

    def write(self, item, content):
        number, _, binding, identity, _, _ = item
        key, plain = os.urandom(32), field(content)
        sealed = seal(key, plain.ljust(-(-len(plain) // 64) * 64, b"\0"), field("tresor keychain secret v1") + identity)
        wrapped = seal(self.key, key, row_key_aad(self.class_key, binding))
        self.database.execute("UPDATE item SET row_key = ?, secret = ? WHERE id = ?", (wrapped, sealed, number))
        self.database.commit()


def attributes(encoded):
    reader, found = Reader(encoded), {}
    for _ in range(reader.number(4)):
        code, kind = reader.take(4).decode(), reader.number(1)
        value = reader.field() if kind in (1, 2) else int.from_bytes(reader.take(8), "big", signed=True)
        found[code] = value.decode() if kind == 1 else value
    return found


def main(home, command, *arguments):
    if command == "promises":
        bag = Keybag(home)
        bag.write(bag.body[:bag.end] + u8(int(arguments[0])) + bag.body[bag.end + 1:])
    elif command == "version1":
        bag = Keybag(home)
        bag.write(b"\1" + bag.body[1:bag.end])
    elif command == "cost":
        print(Keybag(home).cost)
    elif command == "generation":
        store = Store(home)
        store.set_meta("generation", u64(int(arguments[0])))
        store.set_meta("generation_witness", bytes.fromhex(arguments[1] if len(arguments) > 1 else ""))
    elif command == "meta":
        print(Store(home).meta(arguments[0]).hex())
    elif command == "list":
        store = Store(home)
        for item in store.items():
            print(item[1].get("svce", ""), item[1].get("acct", ""), store.read(item).hex() or "-")
    elif command == "write":
        store = Store(home)
        store.write(store.find(*arguments[:2]), bytes.fromhex(arguments[2].replace("-", "")))
    elif command == "remove":
        store = Store(home)
        number = store.find(*arguments[:2])[0]
        store.database.execute("DELETE FROM tag WHERE item = ?", (number,))
        store.database.execute("DELETE FROM item WHERE id = ?", (number,))
        store.database.commit()
    else:
        raise SystemExit(__doc__)


main(*sys.argv[1:])
