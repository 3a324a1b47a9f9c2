def parse_port(text):
    try:
        port = int(text)
    except ValueError:
        raise ConfigurationError(f"not a port: {text}") from None
    if not 1 <= port <= 65535:
        raise ConfigurationError(f"out of range: {port}")
    return port
