def make_scalers(factors):
    def scaler(by):
        def scale(value):
            return value * by

        return scale

    return list(map(scaler, factors))
