def make_scalers(factors):
    scalers = []
    for factor in factors:

        def scale(value):
            return value * factor

        scalers.append(scale)
    return scalers
