def to_cents(amount):
    return int(round(amount * 100))
