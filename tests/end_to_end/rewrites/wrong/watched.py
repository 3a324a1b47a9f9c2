def watched(source, done):
    for item in source:
        yield item
    done.append(len(done))
