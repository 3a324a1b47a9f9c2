"""Who gets the shop's newsletter."""


def subscribers(customers: list[str], bounced: list[str]) -> list[str]:
    """The addresses to write to: each once, as first seen, without those that bounced."""
    blocked = list(bounced)
    result = []
    for i in range(len(customers)):
        if "@" in customers[i]:
            # An address that bounced once is never tried again.
            if customers[i] not in blocked:
                if customers[i] not in result:
                    result.append(customers[i])
    return result


def is_worth_sending(addresses: list[str], smallest: int) -> bool:
    """Whether enough people would read it."""
    if len(addresses) >= smallest:
        return True
    else:
        return False
