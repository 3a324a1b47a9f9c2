def normalised(names):
    return [name.strip().lower() for name in sorted(names)]
