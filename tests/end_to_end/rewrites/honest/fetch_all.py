async def fetch_all(fetch, keys):
    return [await fetch(key) for key in keys]
