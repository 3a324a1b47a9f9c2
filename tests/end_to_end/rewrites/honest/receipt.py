def receipt(lines):
    total = 0
    for name, quantity, price in lines:
        if not quantity:
            continue
        total += quantity * price
    return f"total {total}"
