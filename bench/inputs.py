# SPDX-License-Identifier: GPL-2.0-or-later
"""Inputs of the workloads: the same bytes on every host."""


def numbers(seed):
    """An endless stream of pseudo-random 31-bit numbers."""
    state = seed
    while True:
        state = (state * 1103515245 + 12345) % 2**31
        yield state >> 8


def text(size, seed=1):
    """About size bytes of lines of words; frequent words are short."""
    draw = numbers(seed)
    syllables = [a + b for a in "bcdfglmnprst" for b in "aeiou"]
    lexicon = ["".join(syllables[next(draw) % len(syllables)]
                       for _ in range(1 + i // 300)) for i in range(1500)]
    out, length = [], 0
    while length < size:
        line = " ".join(
            lexicon[min(next(draw) % 1500, next(draw) % 1500)]
            for _ in range(4 + next(draw) % 10)) + "\n"
        out.append(line)
        length += len(line)
    return "".join(out)[:size]


def c_source(functions, seed=2):
    """A C file of that many functions with loops, tests and arithmetic."""
    draw = numbers(seed)
    out = []
    for i in range(functions):
        call = f"f{next(draw) % i}(x, a, n / 2)" if i else "n"
        body = "".join(
            f"\t\tif ((x ^ a[j % {1 + next(draw) % 29}])"
            f" % {2 + next(draw) % 17} == {next(draw) % 2})\n"
            f"\t\t\tx = x * {next(draw) % 1000 + 3} + (a[{k}] >> k);\n"
            f"\t\telse\n\t\t\ta[(j + {k}) % 32] -= x / {next(draw) % 9 + 2};\n"
            for k in range(3 + next(draw) % 6))
        out.append(f"int f{i}(int x, int *a, int n)\n{{\n"
                   f"\tint k = n & 7;\n\n"
                   f"\tfor (int j = 0; j < n; j++) {{\n{body}\t}}\n"
                   f"\treturn n > 1 ? x + {call} : x;\n}}\n\n")
    return "".join(out)
