"""Code that a rule must leave alone, because the rewrite would, or might, mean something else."""

from __future__ import annotations

from textwrap import dedent

import pytest

from burnish.backends.rules.registry import all_rules

from .conftest import Apply

SILENT: dict[str, dict[str, str]] = {
    "membership-set": {
        "an untyped parameter": """
            def f(orders, customers):
                return [order for order in orders if order not in customers]
            """,
        "a string": """
            def f(letters):
                text = "".join(letters)
                return [letter for letter in letters if letter in text]
            """,
        "a list that loses items in the loop": """
            def f(items, rest: list):
                for item in items:
                    if item in rest:
                        rest.remove(item)
            """,
        "a list that is bound anew in the loop": """
            def f(items):
                known = []
                for item in items:
                    if item in known:
                        known = []
            """,
        "a list that another function grows": """
            def f(items):
                known = []
                def note(item):
                    known.append(item)
                for item in items:
                    if item not in known:
                        note(item)
            """,
        "a list that goes by another name too": """
            def f(items, shelf):
                known = []
                shelf.known = known
                for item in items:
                    if item not in known:
                        shelf.note(item)
            """,
        "items that cannot be hashed": """
            def f(pairs: list):
                return [pair for pair in range(9) if [pair] in pairs]
            """,
        "one test, outside of all loops": """
            def f(item, items: list):
                return item in items
            """,
        "the collection that the loop is over": """
            def f(word, words: list):
                for found in [word in words]:
                    return found
            """,
        "set is another function": """
            def f(items, known: list, set):
                return [item for item in items if item in known]
            """,
        "a global list": """
            def f(items):
                global known
                known = []
                for item in items:
                    if item in known:
                        check(item)
            """,
    },
    "string-join": {
        "the string is read in the loop": """
            def f(rows):
                text = ""
                for row in rows:
                    text += row
                    if len(text) > 80:
                        break
                return text
            """,
        "a number": """
            def f(rows):
                total = 0
                for row in rows:
                    total += row
                return total
            """,
        "an unknown value": """
            def f(rows, text):
                for row in rows:
                    text += row
                return text
            """,
        "a handler that may see the unfinished string": """
            def f(rows):
                text = ""
                try:
                    for row in rows:
                        text += row.name
                except AttributeError:
                    pass
                return text
            """,
        "another function reads it": """
            def f(rows, show):
                text = ""
                def current():
                    return text
                for row in rows:
                    text += row
                    show(current)
            """,
        "a nonlocal string": """
            def f(rows):
                text = ""
                def g():
                    nonlocal text
                    for row in rows:
                        text += row
                g()
                return text
            """,
        "locals()": """
            def f(rows):
                text = ""
                for row in rows:
                    text += row
                    print("{text}".format(**locals()))
            """,
    },
    "min-max-compare": {
        "outside of loops": """
            def f(a, b):
                a = min(a, b)
                return a
            """,
        "three values": """
            def f(rows, a, b):
                for row in rows:
                    a = min(a, b, row)
                return a
            """,
        "a key": """
            def f(rows, best):
                for row in rows:
                    best = min(best, row, key=len)
                return best
            """,
        "one iterable": """
            def f(rows, best):
                for row in rows:
                    best = min(best)
                return best
            """,
        "another min": """
            from numpy import min
            def f(rows, best):
                for row in rows:
                    best = min(best, row)
                return best
            """,
        "a star import that may bring another min": """
            from numpy import *
            def f(rows, best):
                for row in rows:
                    best = min(best, row)
                return best
            """,
        "an argument with effects beside a place in a container": """
            def f(rows, best):
                for row in rows:
                    best[0] = min(best[0], row.pop())
                return best
            """,
        "an assignment expression": """
            def f(rows, best):
                for row in rows:
                    best = min(best, (last := row))
                return best, last
            """,
        "await inside": """
            async def f(rows, best):
                for row in rows:
                    best = min(best, await row)
                return best
            """,
        "a function that binds the name": """
            def f(rows):
                best = 0
                def reset():
                    nonlocal best
                    best = 0
                    return 1
                for row in rows:
                    best = min(best, reset())
                return best
            """,
    },
    "queue-deque": {
        "a slice": """
            def f(items):
                queue = list(items)
                while queue:
                    queue.pop(0)
                    print(queue[1:])
            """,
        "handed to another function": """
            def f(items):
                queue = list(items)
                while queue:
                    work(queue, queue.pop(0))
            """,
        "returned": """
            def f(items):
                queue = list(items)
                while queue:
                    queue.pop(0)
                return queue
            """,
        "an untyped parameter": """
            def f(queue):
                while queue:
                    queue.pop(0)
            """,
        "taken from the end": """
            def f(items):
                stack = list(items)
                while stack:
                    stack.pop()
            """,
        "sorted": """
            def f(items):
                queue = list(items)
                while queue:
                    queue.pop(0)
                    queue.sort()
            """,
        "deque is another name": """
            def deque(): ...
            def f(items):
                queue = list(items)
                while queue:
                    queue.pop(0)
            """,
        "printed": """
            def f(items):
                queue = list(items)
                while queue:
                    print(f"{queue}", queue.pop(0))
            """,
    },
    "invariant-hoist": {
        "numbers that may be None": """
            def f(rows, n: int = None):
                for row in rows:
                    print(n * 2)
            """,
        "an f-string that prints the expression": """
            def f(rows, n: int):
                for row in rows:
                    print(f"{n * 2=}")
            """,
        "the name is bound in the loop": """
            def f(rows: list, i):
                for row in rows:
                    print(rows[i])
                    i += 1
            """,
        "the item is stored to in the loop": """
            def f(n, i):
                rows = [0] * n
                for j in range(n):
                    rows[j] = rows[i] + 1
                return rows
            """,
        "the same list by another name": """
            def f(n, i):
                rows = [0] * n
                same = rows
                for j in range(n):
                    rows[j] = same[i] + 1
                return rows
            """,
        "a call that may change the attribute": """
            def f(self, rows):
                for row in rows:
                    self.step()
                    print(self.state)
            """,
        "the attribute is stored to": """
            def f(self, rows):
                for row in rows:
                    self.total = self.total + row
            """,
        "a condition guards the attribute": """
            def f(self, rows):
                for row in rows:
                    if row:
                        print(self.maybe)
            """,
        "await in the loop": """
            async def f(self, rows):
                for row in rows:
                    await row
                    print(self.state)
            """,
        "an item of an argument, and a call that may change it": """
            def f(self, rows: list, i):
                for row in rows:
                    self.step()
                    print(rows[i])
            """,
        "a generator that is left in the loop": """
            def f(self, rows):
                for row in rows:
                    yield self.state
            """,
        "a method": """
            def f(self, rows):
                for row in rows:
                    self.append(row)
            """,
        "arithmetic of unknown values": """
            def f(rows, a, b):
                for row in rows:
                    print(a + b)
            """,
        "a division that may fail": """
            def f(rows, n: int, m: int):
                for row in rows:
                    print(n // m)
            """,
        "a dictionary that grows where it is read": """
            def f(rows, key):
                counts = defaultdict(int)
                for row in rows:
                    print(counts[key])
            """,
        "the length of a list that grows": """
            def f(rows):
                found = []
                for row in rows:
                    found.append(len(found))
            """,
        "the name of a comprehension": """
            def f(rows: list):
                for row in rows:
                    print([rows[i] for i in range(3)])
            """,
        "a slice, which is a new list each time": """
            def f(rows: list):
                for row in rows:
                    work(rows[1:])
            """,
        "an item that an empty list has not": """
            def f(self, last: int, count):
                for index in range(count):
                    print(self.items[last])
            """,
        "an item that may be missing": """
            def f(items: list, rows, i: int):
                for row in rows:
                    print(items[i])
            """,
        "an attribute that an empty loop never asks for": """
            def f(rows, config):
                for row in rows:
                    print(config.limit)
            """,
        "an attribute of self that nothing asked for before": """
            def f(self, rows):
                for row in rows:
                    print(self.limit)
            """,
        "the length of what may be None": """
            def f(rows, names):
                for row in rows:
                    print(len(names))
            """,
        "a variable that may be unbound": """
            def f(rows, wide):
                if wide:
                    n = 3
                for row in rows:
                    print(n * 2)
            """,
        "a condition before, which may not have asked": """
            def f(self, rows):
                if rows and self.limit:
                    print()
                for row in rows:
                    print(self.limit)
            """,
        "a change since it was evaluated": """
            def f(self, rows):
                print(self.limit)
                self.reset()
                for row in rows:
                    print(self.limit)
            """,
        "a method that is called like one of a dictionary": """
            def f(self, rows):
                print(self.limit)
                for row in rows:
                    self.update(row)
                    print(self.limit)
            """,
        "a method of an unknown object": """
            def f(self, rows):
                print(self.limit)
                for row in rows:
                    row.append(self.limit)
            """,
        "the object is handed on": """
            def f(self, rows):
                print(self.limit)
                for row in rows:
                    print(self, self.limit)
            """,
        "a key that may change it": """
            def f(self, rows):
                print(self.limit)
                for row in rows:
                    print(sorted(row, key=self.count), self.limit)
            """,
        "the length of a list that a method may change": """
            def f(self, rows: list, others):
                for row in others:
                    self.update(row)
                    print(len(rows))
            """,
        "the length of a list that came from elsewhere": """
            def f(self, others):
                rows = self.rows()
                print(len(rows))
                for row in others:
                    self.update(row)
                    print(len(rows))
            """,
        "a list that shrinks while its positions are counted": """
            def f(n, m):
                rows = [0] * n
                rows.pop()
                for i in range(n):
                    for j in range(m):
                        print(rows[i])
            """,
        "a deleted item": """
            def f(rows, i, table: list):
                for row in rows:
                    del table[i]
            """,
    },
    "eval-number": {
        "no conversion": "def f():\n    return eval(input())\n",
        "a prompt": 'def f():\n    return int(eval(input("n? ")))\n',
        "globals for eval": "def f():\n    return int(eval(input(), {}))\n",
        "another eval": "def f(eval):\n    return int(eval(input()))\n",
        "another conversion": "def f():\n    return str(eval(input()))\n",
    },
    "input-readline": {
        "one line": "print(int(input()))\n",
        "a prompt": 'for i in range(3):\n    print(input("? "))\n',
        "the end of the input is handled": """
            while True:
                try:
                    print(input())
                except EOFError:
                    break
            """,
        "another input": "def input():\n    return 1\nfor i in range(3):\n    print(input())\n",
        "input as a value": "for line in iter(input, ''):\n    print(line)\n",
        "another standard input": """
            import sys
            sys.stdin = open("data")
            for i in range(3):
                print(input())
            """,
    },
    "script-main": {
        "no loop": "n = 1\nprint(n)\n",
        "a global statement": """
            total = 0
            def add(n):
                global total
                total += n
            for i in range(9):
                add(i)
            print(total)
            """,
        "an unknown star import": "from tools import *\nfor i in range(9):\n    work(i)\n",
        "exec": "for i in range(9):\n    exec('print(i)')\n",
        "globals()": "for i in range(9):\n    print(globals()['i'])\n",
        "a function that reads names": """
            def show():
                return eval("total")
            total = 0
            for i in range(9):
                total += i
            print(show())
            """,
        "pickled functions": "import pickle\nfor i in range(9):\n    print(pickle.dumps(i))\n",
        "a class that reads the variables": """
            step = int("2")
            class Walker:
                def walk(self):
                    return step
            for i in range(9):
                print(Walker().walk())
            """,
        "a builtin that is read before its name is bound": """
            total = sum(range(9))
            sum = 0
            for i in range(9):
                sum += i
            print(sum, total)
            """,
        "the guard": """
            for i in range(9):
                print(i)
            if __name__ == "__main__":
                print(9)
            """,
        "a decorated function below the code": """
            names = []
            for i in range(9):
                names.append(i)
            @register
            def late():
                pass
            """,
    },
    "main-guard": {
        "a function that reads the variable": """
            def show():
                print(total)
            if __name__ == "__main__":
                total = 0
                for i in range(9):
                    total += i
                show()
            """,
        "no loop": 'if __name__ == "__main__":\n    print(1)\n',
        "an else": """
            if __name__ == "__main__":
                for i in range(9):
                    print(i)
            else:
                print(0)
            """,
        "a builtin that is read before its name is bound": """
            if __name__ == "__main__":
                for i in range(9):
                    print(max(i, 3))
                    max = 3
            """,
    },
    "range-len": {
        "an f-string that prints the subscript": """
            def f(users):
                for i in range(len(users)):
                    print(f"{users[i]=}")
            """,
        "the list is stored to": """
            def f(items):
                for i in range(len(items)):
                    items[i] = items[i] + 1
            """,
        "the list grows": """
            def f(items: list):
                for i in range(len(items)):
                    items.append(items[i])
            """,
        "a mapping": """
            def f(items: dict):
                for i in range(len(items)):
                    print(items[i])
            """,
        "used as a mapping": """
            def f(items):
                for i in range(len(items)):
                    print(items[i], items.get(i))
            """,
        "a call that may change the list": """
            def f(self, items):
                for i in range(len(items)):
                    self.work(items[i], items)
            """,
        "a function inside that may change the list": """
            def f(items):
                def grow(item):
                    items.append(item)
                for i in range(len(items)):
                    grow(items[i])
            """,
        "no item is read": """
            def f(items):
                for i in range(len(items)):
                    print(i)
            """,
        "the index is bound again": """
            def f(items):
                for i in range(len(items)):
                    i += 1
                    print(items[i])
            """,
        "another function reads the index": """
            def f(items):
                return_all = []
                for i in range(len(items)):
                    return_all.append(lambda: items[i])
                return return_all
            """,
        "a step": """
            def f(items):
                for i in range(0, len(items), 2):
                    print(items[i])
            """,
        "no name is free": """
            def f(items, item, element):
                for i in range(len(items)):
                    print(items[i], item, element)
            """,
        "another range": """
            def f(items, range):
                for i in range(len(items)):
                    print(items[i])
            """,
    },
    "comprehension": {
        "super(), which a comprehension has not": """
            def f(self, items):
                found = []
                for item in items:
                    found.append(super().show(item))
                return found
            """,
        "the class of the method": """
            def f(self, items):
                found = []
                for item in items:
                    if isinstance(item, __class__):
                        found.append(item)
                return found
            """,
        "an async comprehension inside": """
            async def f(items):
                found = []
                for item in items:
                    found.append([each async for each in item])
                return found
            """,
        "the list is read meanwhile": """
            def f(items):
                found = []
                for item in items:
                    found.append(len(found) + item)
                return found
            """,
        "the variable lives on": """
            def f(items):
                found = []
                for item in items:
                    found.append(item)
                return found, item
            """,
        "two steps": """
            def f(items):
                found = []
                for item in items:
                    print(item)
                    found.append(item)
                return found
            """,
        "else on the loop": """
            def f(items):
                found = []
                for item in items:
                    found.append(item)
                else:
                    print()
                return found
            """,
        "an async for": """
            async def f(items):
                found = []
                async for item in items:
                    found.append(item)
                return found
            """,
        "await inside": """
            async def f(items):
                found = []
                for item in items:
                    found.append(await item)
                return found
            """,
        "yield inside": """
            def f(items):
                found = []
                for item in items:
                    found.append((yield item))
                return found
            """,
        "a walrus": """
            def f(items):
                found = []
                for item in items:
                    found.append(last := item)
                return found, last
            """,
        "a lambda that captures the variable": """
            def f(items):
                found = []
                for item in items:
                    found.append(lambda: item)
                return found
            """,
        "a list that is not empty": """
            def f(items):
                found = [0]
                for item in items:
                    found.append(item)
                return found
            """,
        "a handler that may see the unfinished list": """
            def f(items):
                try:
                    found = []
                    for item in items:
                        found.append(int(item))
                except ValueError:
                    return found
            """,
        "a line too long": """
            def f(items):
                found = []
                for item in items:
                    if item.is_of_some_very_special_kind_that_we_look_for_here and item.name:
                        found.append(item.name)
                return found
            """,
        "a comment in the loop": """
            def f(items):
                found = []
                for item in items:
                    # why
                    found.append(item)
                return found
            """,
        "a class body": """
            class C:
                found = []
                for item in range(3):
                    found.append(item)
            """,
        "locals()": """
            def f(items):
                found = []
                for item in items:
                    found.append(item)
                return locals()
            """,
    },
    "else-after-return": {
        "a branch that goes on": """
            def f(a):
                if a:
                    print(a)
                else:
                    return 1
            """,
        "a comment on the else": """
            def f(a):
                if a:
                    return 1
                else:  # the rest
                    return 2
            """,
        "an else in one line": """
            def f(a):
                if a: return 1
                else: return 2
            """,
        "a loop's else": """
            def f(items):
                for item in items:
                    if item:
                        break
                else:
                    return 2
            """,
        "a try's else": """
            def f(a):
                try:
                    return a()
                except OSError:
                    raise
                else:
                    return 2
            """,
    },
    "guard-clause": {
        "a negation of what is negated in parts": """
            def f(rows, a):
                for row in rows:
                    if not row or a:
                        print(row)
                        if a:
                            print(a)
                        print(row)
            """,
        "a short rest": """
            def f(a):
                if a:
                    print(a)
                    return
            """,
        "an else": """
            def f(a):
                if a:
                    print(1)
                    print(2)
                    for b in a:
                        print(b)
                else:
                    print(3)
            """,
        "a rest that goes on below": """
            def f(a):
                if a:
                    print(1)
                    print(2)
                    for b in a:
                        print(b)
                print(3)
            """,
        "inside of with": """
            def f(a):
                with a:
                    if a:
                        print(1)
                        print(2)
                        for b in a:
                            print(b)
            """,
        "a loop's else": """
            def f(a):
                for b in a:
                    pass
                else:
                    if a:
                        print(1)
                        print(2)
                        for b in a:
                            print(b)
            """,
    },
    "boolean-return": {
        "a negation of what is negated in parts": """
            def f(a, b):
                if not (a < b) or a is None:
                    return False
                return True
            """,
        "a negation of `is not`": """
            def f(a, b):
                if a is not None and (b or a):
                    return False
                return True
            """,
        "other values": """
            def f(a):
                if a:
                    return 1
                return 0
            """,
        "the same value": """
            def f(a):
                if a:
                    return True
                return True
            """,
        "code in between": """
            def f(a):
                if a:
                    return True
                print(a)
                return False
            """,
        "a comment on the second return": """
            def f(a):
                if a:
                    return True
                # never mind
                return False
            """,
        "an elif": """
            def f(a, b):
                if a:
                    return True
                elif b:
                    print(b)
                return False
            """,
    },
    "merge-nested-if": {
        "an else on the inner if": """
            def f(a, b):
                if a:
                    if b:
                        print(1)
                    else:
                        print(2)
            """,
        "an else on the outer if": """
            def f(a, b):
                if a:
                    if b:
                        print(1)
                else:
                    print(2)
            """,
        "more than the inner if": """
            def f(a, b):
                if a:
                    if b:
                        print(1)
                    print(2)
            """,
        "a comment on the outer if": """
            def f(a, b):
                if a:  # why
                    if b:
                        print(1)
            """,
    },
    "loop-variable-name": {
        "an f-string that prints the name": """
            def f(users):
                for u in users:
                    print(f"{u=}")
            """,
        "an f-string that prints the name in a comprehension": """
            def f(users):
                return f"{[u for u in users]=}"
            """,
        "news, which has no singular": """
            def f(news):
                for n in news:
                    print(n)
            """,
        "a parameter": """
            def f(users, u):
                for u in users:
                    print(u)
            """,
        "the name is taken": """
            def f(users, user):
                for u in users:
                    print(u, user)
            """,
        "the variable lives on": """
            def f(users):
                for u in users:
                    print(u)
                return u
            """,
        "another function reads it": """
            def f(users):
                for u in users:
                    print(lambda: u)
            """,
        "no plural": """
            def f(data):
                for d in data:
                    print(d)
            """,
        "a global variable": """
            def f(users):
                global u
                for u in users:
                    print(u)
            """,
        "locals()": """
            def f(users):
                for u in users:
                    print("{u}".format(**locals()))
            """,
        "the loop inside binds it again": """
            def f(users, names):
                for u in users:
                    for u in u.friends:
                        print(u)
            """,
    },
    "count-name": {
        "an f-string that prints the name": """
            def f(rows):
                n = len(rows)
                print(f"{n=}")
            """,
        "an f-string that prints the name in an expression": """
            def f(rows):
                n = len(rows)
                print(f"{n + 1 = :>4}")
            """,
        "eval of its name": """
            def f(rows):
                n = len(rows)
                return eval("n + 1")
            """,
        "vars()": """
            def f(rows):
                n = len(rows)
                return vars()
            """,
        "a variable that changes": """
            def f(rows):
                n = len(rows)
                n -= 1
                return n
            """,
        "a global variable": """
            def f(rows):
                global n
                n = len(rows)
            """,
        "a name already": """
            def f(rows):
                size = len(rows)
                return size
            """,
        "another len": """
            def f(rows, len):
                n = len(rows)
                return n
            """,
        "another function changes it": """
            def f(rows):
                n = len(rows)
                def g():
                    nonlocal n
                    n += 1
                g()
                return n
            """,
    },
}
CASES = [(rule, what, code) for rule, cases in SILENT.items() for what, code in cases.items()]
SCRIPT_RULES = {rule.name for rule in all_rules() if rule.script}


def test_each_rule_has_cases_of_silence() -> None:
    assert set(SILENT) == {rule.name for rule in all_rules()}


@pytest.mark.parametrize(("rule", "what", "code"), CASES, ids=[f"{rule}: {what}" for rule, what, _ in CASES])
def test_leaves_alone(apply: Apply, rule: str, what: str, code: str) -> None:
    text = dedent(code).lstrip("\n")
    if rule not in SCRIPT_RULES:
        # The unit is the last definition; what stands above it is the module around it.
        unit = text[text.rfind("\ndef f") + 1 :]
        assert apply(rule, unit, module=text).rules == ()
    else:
        assert apply(rule, text, script=True).rules == ()
