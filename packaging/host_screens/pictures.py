"""Pictures of screens, as they are compared and written; no library but zlib."""
import dataclasses
import mmap
import os
import struct
import zlib


@dataclasses.dataclass(frozen=True)
class Picture:
    """Pixels of three bytes: red, green, blue."""

    width: int
    height: int
    pixels: bytes

    def png(self):
        """The bytes of a PNG file (ISO/IEC 15948)."""
        stride = self.width * 3
        rows, last = [], bytes(stride)
        for y in range(self.height):
            row = self.pixels[y * stride : (y + 1) * stride]
            # Filter 2, "up": bars and tiles are mostly the same as the row above.
            rows.append(b"\x02" + bytes((a - b) & 255 for a, b in zip(row, last)))
            last = row
        header = struct.pack(">IIBBBBB", self.width, self.height, 8, 2, 0, 0, 0)
        chunks = ((b"IHDR", header), (b"IDAT", zlib.compress(b"".join(rows), 9)), (b"IEND", b""))
        return b"\x89PNG\r\n\x1a\n" + b"".join(
            struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
            for name, data in chunks
        )

    def crop(self, x, y, width, height):
        stride = self.width * 3
        rows = (self.pixels[r * stride + x * 3 : r * stride + (x + width) * 3] for r in range(y, y + height))
        return Picture(width, height, b"".join(rows))


def from_ppm(data):
    """What `grim -t ppm` writes: P6, width and height, 255, pixels."""
    fields, start = [], 0
    while len(fields) < 4:
        end = start
        while not data[end : end + 1].isspace():
            end += 1
        fields.append(data[start:end])
        start = end + 1
    if fields[0] != b"P6" or fields[3] != b"255":
        raise ValueError("not a PPM of eight bits")
    width, height = int(fields[1]), int(fields[2])
    return Picture(width, height, data[start : start + width * height * 3])


class FrameBuffer:
    """The memory of Xvfb's screen, which -fbdir lays out as an XWD file: read without asking the server."""

    def __init__(self, path):
        with open(path, "rb") as file:
            self._map = mmap.mmap(file.fileno(), os.fstat(file.fileno()).st_size, access=mmap.ACCESS_READ)
        header = struct.unpack(">25I", self._map[:100])
        self.width, self.height, self._stride = header[4], header[5], header[12]
        if header[11] != 32:
            raise ValueError("a screen of 32 bits a pixel is needed")
        self._start = header[0] + header[19] * 12

    def raw(self, x, y, width, height):
        """The bytes of a part, for comparing."""
        start = self._start + x * 4
        return b"".join(
            self._map[start + r * self._stride : start + r * self._stride + width * 4] for r in range(y, y + height)
        )

    def picture(self, x, y, width, height):
        raw = self.raw(x, y, width, height)
        pixels = bytearray(width * height * 3)
        # Little-endian words of 0x00RRGGBB.
        pixels[0::3], pixels[1::3], pixels[2::3] = raw[2::4], raw[1::4], raw[0::4]
        return Picture(width, height, bytes(pixels))
