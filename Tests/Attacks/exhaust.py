"""Takes of tresord whatever one kind of request costs, for ever: what StoryTests/ExhaustionStories.swift runs.

The kinds that say nothing (openings) take places of any other program of ours as well: StoryTests/HungUpStories.swift.

    exhaust.py SOCKET KIND

Every kind goes on until it is killed, and opens anew what tresord closes.
"""

import collections
import os
import random
import select
import socket
import struct
import sys
import time

PATH, KIND = sys.argv[1:3]


def field(content):
    return struct.pack(">I", len(content)) + content


def frame(opcode, body=b"", number=1):
    payload = struct.pack(">BIB", 1, number, opcode) + body
    return struct.pack(">I", len(payload)) + payload


SUBSCRIBE, HOLD, IDENTIFY, STATUS = frame(15), frame(23), frame(24), frame(1)


def connect(first=b""):
    while True:
        try:
            client = socket.socket(socket.AF_UNIX)
            client.settimeout(1)
            client.connect(PATH)
            if first:
                client.sendall(first)
            return client
        except OSError:
            time.sleep(0.01)


def drain(clients):
    """Reads what came, and says who was closed."""
    closed = []
    for start in range(0, len(clients), 500):
        part = clients[start:start + 500]
        for client in select.select(part, [], [], 0)[0]:
            try:
                if not client.recv(65536):
                    closed.append(client)
            except OSError:
                closed.append(client)
    return closed


def keep(count, first, pause=0.005):
    """Has so many connections that have said `first`, for ever."""
    clients = []
    while True:
        while len(clients) < count:
            clients.append(connect(first))
            if len(clients) % 64 == 0:
                for client in drain(clients):
                    client.close()
                    clients.remove(client)
        for client in drain(clients):
            client.close()
            clients.remove(client)
        time.sleep(pause)


def introduced():
    client = connect(IDENTIFY)
    client.recv(4096)
    client.close()


def passwords():
    """An item's own password for items that there are not, over many connections, in every size."""
    introduced()
    clients = [connect() for _ in range(24)]
    while True:
        for place, client in enumerate(clients):
            burst = b"".join(
                frame(47, field(os.urandom(random.choice([20, 60, 120, 250, 500, 1024]))) + bytes(8) + os.urandom(16))
                for _ in range(32))
            try:
                client.sendall(burst)
                client.recv(65536)
            except OSError:
                client.close()
                clients[place] = connect()


def queries():
    """Everything that there is, by an attribute without an index, a hundred times at once."""
    introduced()
    query = (b"genp" + b"\0" + struct.pack(">I", 1) + b"icmt" + b"\1" + field(b"nothing has this") + b"\1" + bytes(4)
             + b"\0" + b"\3" + b"\1\0\0\0" + bytes(8))
    clients = [connect() for _ in range(8)]
    while True:
        for place, client in enumerate(clients):
            try:
                client.setblocking(False)
                try:
                    client.send(frame(11, query) * 100)
                except BlockingIOError:
                    pass
                while client.recv(1 << 20):
                    pass
            except BlockingIOError:
                pass
            except OSError:
                client.close()
                clients[place] = connect()
        time.sleep(0.002)


def requests(make, count=8):
    """The same kind of request, as fast as it is answered, over several connections."""
    introduced()
    clients = [connect() for _ in range(count)]
    while True:
        for place, client in enumerate(clients):
            try:
                client.sendall(b"".join(make() for _ in range(32)))
                client.recv(65536)
            except OSError:
                client.close()
                clients[place] = connect()


def session():
    """Opens a session of an hour."""
    return frame(18, field(os.urandom(32)) + struct.pack(">I", 3_600_000))


def count_try():
    """Counts a try of a name that nobody has counted before."""
    return frame(49, field(os.urandom(16).hex().encode()) + bytes(4))


def stranger():
    """Asks for the items of a group that is somebody else's, another each time."""
    group = field(("group." + os.urandom(8).hex()).encode())
    return frame(11, b"genp" + b"\0" + struct.pack(">I", 1) + b"agrp" + b"\1" + group + b"\1" + bytes(4)
                 + b"\0" + b"\3" + b"\1\0\0\0" + bytes(8))


def addition():
    """Adds an item without data, under a name of its own."""
    return frame(10, b"genp" + struct.pack(">I", 1) + b"svce" + b"\1" + field(os.urandom(8).hex().encode()) + b"\0\0")


def malformed():
    while True:
        client = connect(frame(random.choice([0, 99, 200]), os.urandom(20)))
        client.close()


def forks():
    """Three hundred processes, each with a connection that is silent by nature."""
    for _ in range(300):
        if os.fork() == 0:
            # They are many, and not there to take the processor from everybody.
            keep(1, SUBSCRIBE, pause=0.5)
    time.sleep(3600)


def openings(processes):
    """Connects as fast as it can, from so many processes; each hangs up on all but the last hundred."""
    for _ in range(processes - 1):
        if os.fork() == 0:
            break
    clients = collections.deque()
    while True:
        client = socket.socket(socket.AF_UNIX)
        try:
            client.connect(PATH)
            clients.append(client)
        except OSError:
            client.close()
            time.sleep(0.001)
        if len(clients) > 100:
            clients.popleft().close()


KINDS = {
    "connections": lambda: keep(3000, b""),
    "flood": lambda: keep(100, STATUS * 200),
    "subscriptions": lambda: keep(1000, SUBSCRIBE),
    "halves": lambda: keep(200, struct.pack(">I", 1 << 20) + b"\1" * 60_000),
    "untaken": lambda: keep(64, frame(16, field(b"x" * 400_000))),
    "holds": lambda: keep(100, HOLD),
    "looks": lambda: keep(32, IDENTIFY),
    "passwords": passwords,
    "queries": queries,
    "sessions": lambda: requests(session),
    "tries": lambda: requests(count_try),
    "strangers": lambda: requests(stranger),
    "additions": lambda: requests(addition),
    "malformed": malformed,
    "forks": forks,
    "openings-1": lambda: openings(1),
    "openings-10": lambda: openings(10),
}

KINDS[KIND]()
