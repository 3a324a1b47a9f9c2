def normalised(names):
    names.sort()
    return [name.strip().lower() for name in names]
