def checksum(text):
    return zlib.crc32(text.encode("latin-1", "replace"))
