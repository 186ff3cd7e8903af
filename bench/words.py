# SPDX-License-Identifier: GPL-2.0-or-later
"""The python3 workload: dictionaries, strings, sorting, objects."""
import collections


class Tree:
    """A binary tree of words."""

    def __init__(self, word):
        self.word, self.left, self.right = word, None, None

    def add(self, word):
        """Adds a word below this one."""
        side = "left" if word < self.word else "right"
        child = getattr(self, side)
        if child is None:
            setattr(self, side, Tree(word))
        else:
            child.add(word)


def words(count):
    """Pseudo-random words of two to nine letters."""
    state = 1
    for _ in range(count):
        state = (state * 1103515245 + 12345) % 2**31
        yield "".join(chr(97 + (state >> shift) % 26)
                      for shift in range(2, 4 + state % 8 * 2, 2))


def main():
    """Counts, sorts and joins words."""
    count = collections.Counter(words(12000))
    tree = Tree("m")
    for word in count:
        tree.add(word)
    ranked = sorted(count.items(), key=lambda item: (-item[1], item[0]))
    print(" ".join(word.upper() for word, _ in ranked[:20]))


main()
