# SPDX-License-Identifier: GPL-2.0-or-later
"""Reads a profile of pprof without what prof writes it with, and prints it:

	type NAME UNIT, of each sample type
	period TYPE N
	build FILE ID
	stack OUTERMOST;...;INNERMOST VALUE..., added up
	line FUNCTION:LINE VALUE..., of innermost frames, added up

It fails where a number leads to nothing.
"""
import gzip
import sys


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return value, at


def fields(data):
    """Of a message, by number: lists of numbers and of bytes."""
    found, at = {}, 0
    while at < len(data):
        key, at = varint(data, at)
        if key & 7 == 0:
            value, at = varint(data, at)
        elif key & 7 == 2:
            size, at = varint(data, at)
            value = data[at:at + size]
            assert len(value) == size
            at += size
        else:
            raise ValueError("wire type %d" % (key & 7))
        found.setdefault(key >> 3, []).append(value)
    return found


def numbers(values):
    """Of a repeated field, packed or not."""
    out = []
    for value in values:
        if isinstance(value, int):
            out.append(value)
            continue
        at = 0
        while at < len(value):
            number, at = varint(value, at)
            out.append(number)
    return out


def one(message, number):
    return message.get(number, [0])[0]


profile = fields(gzip.open(sys.argv[1]).read())
text = [t.decode() for t in profile[6]]
assert text[0] == ""
types = [fields(t) for t in profile[1]]
for t in types:
    print("type", text[one(t, 1)], text[one(t, 2)])
if 11 in profile:
    print("period", text[one(fields(profile[11][0]), 1)], one(profile, 12))
mapping = {one(m, 1): m for m in map(fields, profile[3])}
for m in mapping.values():
    if one(m, 6):
        print("build", text[one(m, 5)], text[one(m, 6)])
function = {one(f, 1): f for f in map(fields, profile[5])}
location = {one(x, 1): x for x in map(fields, profile[4])}
assert 0 not in function and 0 not in location and 0 not in mapping
frames = {}
for number, x in location.items():
    if one(x, 2):
        assert one(x, 3) < one(mapping[one(x, 2)], 3)
    frames[number] = [(text[one(function[one(y, 1)], 2)], one(y, 2))
                      for y in map(fields, x[4])]
stacks, lines = {}, {}
for s in map(fields, profile[2]):
    value = numbers(s[2])
    assert len(value) == len(types)
    names = [frame for n in numbers(s[1]) for frame in frames[n]]
    for table, key in ((stacks, ";".join(n for n, _ in reversed(names))),
                       (lines, "%s:%d" % names[0])):
        table[key] = [a + b for a, b in
                      zip(value, table.get(key, [0] * len(value)))]
for word, table in (("stack", stacks), ("line", lines)):
    for key in sorted(table):
        print(word, key, *table[key])
