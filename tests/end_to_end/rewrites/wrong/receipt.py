def receipt(lines):
    total = 0
    for name, quantity, price in lines:
        if quantity and price >= 0:
            total = total + quantity * price
    return f"total {total}"
