def flatten(nested):
    if not isinstance(nested, list):
        return [nested]
    return [leaf for item in nested for leaf in flatten(item)]
