# How many of the words on standard input came before, and the longest distance between two of the same.
n = int(input())
words = []
repeats = 0
longest = 0
for i in range(n):
    word = input()
    if word in words:
        repeats += 1
        longest = max(longest, i - words.index(word))
    words.append(word)
print(repeats, longest)
