def watched(source, done):
    try:
        yield from source
    finally:
        done.append(len(done))
