def fetch_all(fetch, keys):
    return [fetch(key) for key in keys]
