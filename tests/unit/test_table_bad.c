/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Bad tables: each is a good one with one edit, or a file of its own, and
 * has the sentence that it must be refused with.
 */
#include "table/table.h"

#include <errno.h>
#include <stdarg.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#ifndef TEST_DATA_DIR
#error "the build must define TEST_DATA_DIR, the folder tests/data"
#endif

#define TABLES TEST_DATA_DIR "/tables/"
#define EVENTS TEST_DATA_DIR "/../../events/"

/* Replace from, which occurs once, by to: the sentence after the file. */
struct edit {
	const char *from, *to, *sentence;
};

/* What the grammar refuses. */
static const struct edit grammar[] = {
	{"name: small", "nam: small", "3: unknown key 'nam'"},
	{"name: small\n", "", "3: key 'name' is missing"},
	{"name: small", "name:", "3: 'name' is empty"},
	{"name: small", "name: [small]", "3: 'name' should be a text"},
	{"name: small", "name: small\nname: twice",
	 "4: key 'name' is given twice, first in line 3"},
	{"name: small",
	 "name: a123456789a123456789a123456789a123456789a123456789a12345678",
	 NULL},
	{"name: small",
	 "name: a123456789a123456789a123456789a123456789a123456789a12345678"
	 "9a12345678",
	 "3: the text of 'name' is too long"},
	{"clock_hz: 1000000", "clock_hz: fast",
	 "6: 'fast' is not a whole number"},
	{"clock_hz: 1000000", "clock_hz: 1.5", "6: '1.5' is not a whole number"},
	{"clock_hz: 1000000", "clock_hz: 12MHz",
	 "6: '12MHz' is not a whole number"},
	{"clock_hz: 1000000", "clock_hz: 010", "6: '010' is not a whole number"},
	{"clock_hz: 1000000", "clock_hz: 07", "6: '07' is not a whole number"},
	{"clock_hz: 1000000", "clock_hz: -5", "6: '-5' is not a whole number"},
	{"clock_hz: 1000000", "clock_hz: 0x", "6: '0x' is not a whole number"},
	{"clock_hz: 1000000", "clock_hz:", "6: '' is not a whole number"},
	{"clock_hz: 1000000", "clock_hz: \"12x\"",
	 "6: '12x' is not a whole number"},
	{"clock_hz: 1000000", "clock_hz: \"1\n\n    2\"",
	 "6: '1 2' is not a whole number"},
	{"clock_hz: 1000000", "clock_hz: 99999999999999999999999",
	 "6: '99999999999999999999999' is out of range for 'clock_hz'"},
	{"clock_hz: 1000000", "clock_hz: [1]",
	 "6: 'clock_hz' should be a number"},
	{"policy: fifo", "policy: lifo",
	 "8: 'lifo' is not a word that 'policy' can be"},
	{"policy: fifo", "policy: 2",
	 "8: '2' is not a word that 'policy' can be"},
	{"policy: fifo}", "policy: fifo, sets: 4}", "8: unknown key 'sets'"},
	{"      ways: 4\n", "", "9: key 'ways' is missing"},
	{"write_through: true", "write_through: yes",
	 "14: 'yes' is not a word that 'write_through' can be"},
	{"      sync: {latency: 23, repeat: 1}\n", "",
	 "31: key 'sync' is missing"},
	{"      sync:", "      sink:", "54: unknown key 'sink'"},
	{"latency: 23, repeat: 1", "latency: 70000, repeat: 1",
	 "54: '70000' is out of range for 'latency'"},
	{"vpe_of_tc: [2, 0, 1, 1]", "vpe_of_tc: 4",
	 "84: 'vpe_of_tc' should be a list"},
	{"vpe_of_tc: [2, 0, 1, 1]", "vpe_of_tc: []",
	 "84: 'vpe_of_tc' has too few entries"},
	{"vpe_of_tc: [2, 0, 1, 1]",
	 "vpe_of_tc: [2, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]",
	 "84: 'vpe_of_tc' has too many entries"},
	{"counters:\n  number: 2\n  bits: 40", "counters: 4",
	 "87: 'counters' should hold keys and values"},
	{"scope: P", "scope: X", "96: 'X' is not a word that 'scope' can be"},
	{"precision: timing", "precision: good",
	 "97: 'good' is not a word that 'precision' can be"},
	{"list: odd", "list: 1", "127: '1' is not a word that 'list' can be"},
	{"      - numerator: [{list: odd, code: 1, factor: 1}]",
	 "      - numerator: [{list: odd, code: 1}]",
	 "127: key 'factor' is missing"},
	{"description: A machine for tests", "description: {a: {b: c}}",
	 "4: 'description' should be a text"},
	{"name: small", "name: &it small", "3: anchors are not allowed"},
	{"description: A machine", "  description: A machine",
	 "4: mapping values are not allowed in this context"},
};

/* What the checks after it refuse. */
/* Another part at the beginning of the pipeline, which is line 31. */
#define ISSUE(text) "  pipeline:\n", "  pipeline:\n    issue: {" text "}\n"
#define BUNDLES "rule: bundles, width: 6, bundles: 2, "

/* A prefetcher, before the predictor, with other keys. */
#define PREFETCHER(text)                                                 \
	"  branch:\n", "  prefetchers:\n    - {buffers: 2, " text "}\n" \
		      "  branch:\n"

/* A predictor that has tagged tables, or is not of that kind. */
#define TAGE_OF(entries, tag_bits, history)                               \
	"{entries: " #entries ", tag_bits: " #tag_bits ", counter_bits: 3, " \
	"useful_bits: 2, age: 99, history: " history "}\n"
#define TAGE(name, history) \
	"  branch:\n", "  branch:\n    " name ": " TAGE_OF(64, 8, history)
#define TAGES(entries, tag_bits, history, jumps, paths)                    \
	"    kind: gshare\n    initial: 2\n    history_bits: 6\n",         \
	"    kind: tage\n    tage: " TAGE_OF(entries, tag_bits, history)    \
	"    targets: " TAGE_OF(jumps, 9, paths)

static const struct edit meaning[] = {
	{ISSUE("rule: pairs, width: 2"),
	 "85: more than one instruction per cycle needs a single context"},
	{ISSUE("rule: single"), NULL},
	{ISSUE("rule: single, width: 2"),
	 "31: width is 2, but can be 0 to 1"},
	{ISSUE("rule: pairs, width: 3"), "31: width is 3, but can be 2 to 2"},
	{ISSUE("rule: pairs, width: 2, banks: 3, bank_bytes: 4"),
	 "31: banks is 3, no power of two"},
	{ISSUE("rule: pairs, width: 2, banks: 8"),
	 "31: bank_bytes is 0, but can be 1 to 128"},
	{ISSUE("rule: pairs, width: 2, mispredict_second: 1"),
	 "31: mispredict_second needs a btb"},
	{ISSUE("rule: slots, width: 7"), "31: width is 7, but can be 1 to 6"},
	{ISSUE("rule: slots, width: 4, group_bytes: 12"),
	 "31: group_bytes is 12, not a power of two"},
	{ISSUE("rule: slots, width: 4, accesses: 9"),
	 "31: accesses is 9, but can be 0 to 6"},
	{ISSUE("rule: slots, width: 4"), "33: alu needs ports"},
	{ISSUE(BUNDLES "units: {m: 2, i: 2, f: 2, b: 3, load: 2, store: 2}"),
	 "85: more than one instruction per cycle needs a single context"},
	{ISSUE(BUNDLES "units: {m: 2, i: 0, f: 2, b: 3, load: 2, store: 2}"),
	 "31: units.i is 0, but can be 1 to 6"},
	{ISSUE("rule: bundles, width: 5, bundles: 2"),
	 "31: width is 5, but can be 6 to 6"},
	{ISSUE("rule: bundles, width: 9, bundles: 3"),
	 "31: bundles is 3, but can be 1 to 2"},
	{"      nop: {latency: 0", "      shift: {latency: 2, repeat: 0}\n"
	 "      nop: {latency: 0", "33: repeat is 0, but can be 1 to 1000"},
	{"clock_hz: 1000000", "clock_hz: 999",
	 "6: clock_hz is 999, but can be 1000 to 100000000000"},
	{"size: 1024", "size: 1000",
	 "8: size 1000 does not divide into 2 ways of 32-byte lines"},
	{"size: 1024", "size: 0",
	 "8: size is 0, but can be 1 to 1073741824"},
	{"size: 2048", "size: 0",
	 "10: size is 0, but can be 1 to 1073741824"},
	{"line: 64, policy: random", "line: 0, policy: random",
	 "16: line is 0, but can be 16 to 256"},
	{"size: 65536", "size: 0", NULL},
	{"size: 1024", "size: 960", "8: size 960 makes 15 sets, not a power of "
	 "two"},
	{"ways: 2, line: 32", "ways: 0, line: 32",
	 "8: ways is 0, but can be 1 to 64"},
	{"ways: 2, line: 32", "ways: 2, line: 24",
	 "8: line is 24, not a power of two"},
	{"ways: 2, line: 32", "ways: 2, line: 8",
	 "8: line is 8, but can be 16 to 256"},
	{"size: 2048", "size: 131072", "10: 8192 lines are more than 4096"},
	{"line: 64, policy: random", "line: 16, policy: random",
	 "16: line is 16, less than a line of the first level"},
	{"latency: 40}", "latency: 1001}",
	 "16: latency is 1001, but can be 0 to 1000"},
	{"latency: 40}", "latency: 30}",
	 "16: latency is 30, less than the 31 of the level before"},
	{"latency: 40}", "latency: 60}",
	 "74: latency is 51, less than the 60 of the level before"},
	{"latency: 40}", "latency: 40, way_penalty: 3}",
	 "16: way_penalty needs way_entries"},
	{"latency: 40}", "latency: 40, told_of_stores: true}",
	 "16: told_of_stores needs inclusive"},
	{"latency: 40}", "latency: 40, way_entries: 12}",
	 "16: way_entries is 12, not a power of two"},
	{"latency: 40}", "latency: 40}\n    l3: {size: 65536, ways: 1, line: 32,"
	 " policy: lru, latency: 50}",
	 "17: line is 32, less than a line of the second level"},
	{"    l2: {size: 65536, ways: 8,",
	 "    l3: {size: 65536, ways: 8,",
	 "16: a third level needs a second one"},
	{"itlb: {entries: 4", "itlb: {entries: 500",
	 "18: entries is 500, but can be 1 to 128"},
	{"itlb: {entries: 4", "itlb: {entries: 0",
	 "18: entries is 0, but can be 1 to 128"},
	{"dtlb: {entries: 3", "dtlb: {entries: 0",
	 "19: entries is 0, but can be 1 to 128"},
	{"entries: 64, ways: 4", "entries: 0, ways: 4", NULL},
	{"page_bits: 13", "page_bits: 9",
	 "19: page_bits is 9, but can be 12 to 30"},
	{"page_bits: 14, policy: random",
	 "page_bits: 12, policy: random, inclusive: true",
	 "20: an entry of an inclusive TLB maps at least 13 bits"},
	{"page_bits: 13, policy: lru",
	 "page_bits: 13, policy: lru, maps_tables: true",
	 "19: maps_tables goes without a jtlb"},
	{"page_bits: 13, policy: lru",
	 "page_bits: 13, policy: lru, owner: context", NULL},
	{"page_bits: 12, policy: lru",
	 "page_bits: 12, policy: lru, owner: vpe", NULL},
	{"page_bits: 12, policy: lru",
	 "page_bits: 12, policy: lru, owner: thread",
	 "18: 'thread' is not a word that 'owner' can be"},
	{"page_bits: 14, policy: random",
	 "page_bits: 14, policy: random, owner: all",
	 "20: unknown key 'owner'"},
	{"  topology:\n", "  tick_evicts: true\n  topology:\n",
	 "82: ticks evict lines of a first level that has none behind it"},
	{"ways: 4, page_bits: 14, policy: random}",
	 "ways: 4, page_bits: 14, policy: random}\n    os_page_bits: 12",
	 "21: os_page_bits is 12, less than page_bits of the first TLBs"},
	{"ways: 4, page_bits: 14, policy: random}",
	 "ways: 4, page_bits: 14, policy: random}\n    jtlb_data: "
	 "{entries: 3000, ways: 0, page_bits: 13, policy: not-last-used}",
	 "21: entries is 3000, but can be 0 to 2048"},
	{"ways: 4, page_bits: 14, policy: random}",
	 "ways: 4, page_bits: 14, policy: random}\n    jtlb_data: "
	 "{entries: 30, ways: 0, page_bits: 0, policy: not-last-used}",
	 "21: page_bits is 0, but can be 12 to 30"},
	{"ways: 4, page_bits: 14, policy: random}",
	 "ways: 4, page_bits: 14, policy: random}\n    walk: {levels: 6, kept: 4}",
	 "21: levels is 6, but can be 0 to 5"},
	{"ways: 4, page_bits: 14, policy: random}",
	 "ways: 4, page_bits: 14, policy: random}\n    walk: {levels: 4, kept: 65}",
	 "21: kept is 65, but can be 0 to 64"},
	{"ways: 4, page_bits: 14, policy: random}",
	 "ways: 4, page_bits: 14, policy: random}\n    walk: {levels: 4, kept: 4}",
	 "21: a walk is for one context"},
	{"ways: 4, page_bits: 14, policy: random}",
	 "ways: 4, page_bits: 14, policy: random}\n    walk: {levels: 4, "
	 "kept: 4, walkers: 9}",
	 "21: walkers is 9, but can be 0 to 8"},
	{"policy: fifo", "policy: not-last-used",
	 "8: 'not-last-used' is not a word that 'policy' can be"},
	{"entries: 64, ways: 4", "entries: 62, ways: 4",
	 "20: 62 entries do not divide into 4 ways"},
	{"entries: 64, ways: 4", "entries: 48, ways: 4",
	 "20: 48 entries of 4 ways make 12 sets, not a power of two"},
	{"initial: 2", "initial: 4", "23: initial is 4, but can be 0 to 3"},
	{"history_bits: 6", "history_bits: 9",
	 "24: 9 bits of history do not fit 256 entries"},
	{"    history_bits: 6\n", "", "21: gshare needs history_bits"},
	{"    entries: 256\n", "", "21: this kind of predictor needs entries"},
	{"kind: gshare", "kind: btb", "29: targets are in the btb's entries"},
	{"kind: gshare", "kind: icache\n    counter_bits: 1",
	 "25: this kind of predictor has no history_bits"},
	{"kind: gshare", "kind: tournament",
	 "21: this kind of predictor needs global_bits"},
	{"kind: gshare", "kind: tournament\n    global_bits: 4\n"
	 "    counter_bits: 5", "24: counter_bits is 5, but can be 0 to 4"},
	{"kind: gshare", "kind: tournament\n    global_bits: 4\n"
	 "    counter_bits: 3\n    ways: 2", "25: only a btb has ways"},
	{"kind: gshare", "kind: tournament\n    global_bits: 4\n"
	 "    counter_bits: 3\n    static_backward: true",
	 "25: this kind of predictor has no static_backward"},
	{PREFETCHER("kind: next-line, fills: l1d, degree: 1"),
	 "21: prefetchers are for one context"},
	{PREFETCHER("kind: next-line, fills: l1d, degree: 0"),
	 "22: degree is 0, but can be 1 to 16"},
	{PREFETCHER("kind: next-line, fills: l1d, degree: 1, entries: 4"),
	 "22: this kind of prefetcher has no entries"},
	{PREFETCHER("kind: next-line, fills: l1d, degree: 1, reach: 4"),
	 "22: this kind of prefetcher has no reach"},
	{PREFETCHER("kind: stride, fills: l1d, degree: 1, entries: 12, "
		    "confidence: 2"),
	 "22: entries is 12, not a power of two"},
	{PREFETCHER("kind: stride, fills: l1d, degree: 1, entries: 8"),
	 "22: confidence is 0, but can be 1 to 100"},
	{PREFETCHER("kind: stream, fills: l1d, degree: 1, entries: 8, "
		    "confidence: 2, distance: 65"),
	 "22: distance is 65, but can be 1 to 64"},
	{PREFETCHER("kind: spatial, fills: l1d, degree: 1"),
	 "22: 'spatial' is not a word that 'kind' can be"},
	{"kind: gshare", "kind: tage",
	 "24: this kind of predictor has no history_bits"},
	{TAGE("tage", "[4, 8]"),
	 "22: only a tage predictor has tage"},
	{TAGE("targets", "[4, 8]"),
	 "22: only a tage predictor has targets"},
	{TAGES(64, 8, "[4, 4]", 64, "[8]"),
	 "23: a history is 4, but can be 5 to 256"},
	{TAGES(64, 8, "[4, 257]", 64, "[8]"),
	 "23: a history is 257, but can be 5 to 256"},
	{TAGES(60, 8, "[4]", 64, "[8]"),
	 "23: entries is 60, not a power of two"},
	{TAGES(1, 8, "[4]", 64, "[8]"),
	 "23: entries is 1, but can be 2 to 1048576"},
	{TAGES(64, 17, "[4]", 64, "[8]"),
	 "23: tag_bits is 17, but can be 1 to 16"},
	{TAGES(64, 8, "[4]", 64, "[0]"),
	 "24: a history is 0, but can be 1 to 256"},
	{TAGES(64, 8, "[]", 64, "[8]"),
	 "23: 'history' has too few entries"},
	{TAGES(64, 8, "[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13]", 64, "[8]"),
	 "23: 'history' has too many entries"},
	{TAGES(64, 8, "[4]", 64, "[8]"), NULL},
	{"kind: gshare", "kind: gshare\n    decode_redirect: 3",
	 "23: decode_redirect needs static_backward"},
	{"kind: gshare", "kind: gshare\n    global_bits: 3",
	 "23: this kind of predictor has no global_bits"},
	{"entries: 256", "entries: 200",
	 "26: entries is 200, not a power of two"},
	{"latency: 23, repeat: 1", "latency: 23, repeat: 1001",
	 "54: repeat is 1001, but can be 0 to 1000"},
	{"wbb: 57", "wbb: 57\n    wbb_cycles: 3",
	 "73: wbb_drain_at, wbb_drain_after and wbb_cycles go with wbb_bytes"},
	{"wbb: 57", "wbb: 7\n    wbb_bytes: 32\n    wbb_drain_at: 8",
	 "82: wbb_drain_at is 8, but can be 1 to 7"},
	{"wbb: 57", "wbb: 7\n    wbb_bytes: 32\n    wbb_drain_at: 2",
	 "73: wbb_bytes needs wbb_cycles"},
	{"wbb: 57", "wbb: 57\n    ordered: true",
	 "81: ordered needs watch_alignment"},
	{"tlb_refill: 43", "tlb_refill: 43\n    misaligned: 3",
	 "71: misaligned needs watch_alignment"},
	{"tlb_refill: 43", "tlb_refill: 43\n    load_blocks: true",
	 "71: load_blocks is for one context"},
	{"tlb_refill: 43", "tlb_refill: 43\n    locks_bus: true",
	 "71: only a window has locks_bus"},
	{"tlb_refill: 43", "tlb_refill: 43\n    string_bytes: 64",
	 "71: string_bytes is 64, more than a line of l1d"},
	{"fetch_bytes: 16", "fetch_bytes: 12",
	 "65: fetch_bytes is 12, not a power of two"},
	{"fsb: 55", "fsb: 0", "78: fsb is 0, but can be 1 to 64"},
	{"vpe_of_tc: [2, 0, 1, 1]", "vpe_of_tc: [2, 0, 1, 3]",
	 "84: TC 3 is on VPE 3, but there are 3"},
	{"vpe_of_tc: [2, 0, 1, 1]", "vpe_of_tc: [1, 0, 1, 1]",
	 "83: VPE 2 has no TC"},
	{"vpe_of_tc: [2, 0, 1, 1]", "vpe_of_tc: [2, 2, 1, 1]",
	 "83: VPE 0 has no TC"},
	{"number: 2", "number: 3",
	 "90: an odd number of counters needs the list all"},
	{"number: 2", "number: 9", "88: number is 9, but can be 2 to 8"},
	{"number: 2", "number: 0", "88: number is 0, but can be 2 to 8"},
	{"code: 300", "divide: 3\n      code: 300",
	 "99: event WIRE is divided by 3, but can be by 1, 2, 5 or 10"},
	{"bits: 40", "bits: 65", "89: bits is 65, but can be 8 to 64"},
	{"code: 300", "code: 65536", "99: code is 65536, but can be 0 to 65535"},
	{"code: 300", "code: 0", "99: event 0 is on the even list twice"},
	{"name: WIRE", "name: CYCLES",
	 "100: name CYCLES is on the even list twice"},
	{"      reason: nothing is wired to it\n", "",
	 "99: event WIRE is zero or not modelled, but no reason is given"},
	{"reason: nothing is wired to it",
	 "reason: nothing is wired to it\n      signals: [insn]",
	 "99: event WIRE is zero or not modelled, but adds up signals"},
	{"label: cycles", "label: cycles\n      of_user: true",
	 "92: event CYCLES is of_user, which is for events that are zero or "
	 "exact"},
	{"label: cycles", "label: cycles\n      of_several: a reason",
	 "92: event CYCLES is of_several, which is for events that are zero"},
	{"      signals: [cycle.*, \"stall.*\"]\n", "",
	 "92: event CYCLES adds up no signals"},
	{"\"stall.*\"", "stalls", "98: unknown signal 'stalls'"},
	{"\"stall.*\"", "stal.*", "98: unknown signal 'stal.*'"},
	{"\"stall.*\"", "cycle.issue",
	 "98: signal 'cycle.issue' is added up twice"},
	{"\"stall.*\"", "stall.*, insn.*, jump.*, fsb.*",
	 "98: more than 32 signals in an event"},
	{"first: 7, last: 9", "first: 9, last: 7",
	 "111: codes 9 to 7 are not a range within 0 to 65535"},
	{"first: 7, last: 9", "first: 1, last: 9",
	 "111: code 1 is on the odd list already"},
	{"odd: [1]", "odd: [7]",
	 "118: group ipc names event 7, which is reserved on the odd list"},
	{"odd: [1]", "odd: [2]",
	 "118: group ipc names event 2, which is not on the odd list"},
	{"even: [0, 300]", "even: [300, 0]",
	 "117: group ipc: 0 after 300 is not in ascending order"},
	{"even: [0, 300]", "even: [0, 0]",
	 "117: group ipc: 0 after 0 is not in ascending order"},
	{"name: nothing,", "name: ipc,", "113: two groups are called 'ipc'"},
	{"name: nothing,", "name: speed,", "113: two groups are called 'speed'"},
	{"option: i", "option: ipc", "114: option 'ipc' is not one letter"},
	{"name: nothing,", "name: nothing, option: i,",
	 "119: option 'i' is that of group ipc"},
	{"[{list: odd, code: 1", "[{list: even, code: 1",
	 "127: metric ipc names event 1, which is not on the even list"},
	{"[{list: even, code: 0, factor: 1}]",
	 "[{list: even, code: 0, factor: 0}]",
	 "128: metric ipc multiplies event 0 by 0"},
	{"digits: 3", "digits: 10", "125: digits is 10, but can be 0 to 9"},
	{"metrics:\n", "metrics:\n  - {name: ipc, label: I, text: T, unit: ratio,"
	 " digits: 1,\n     formulas: [{numerator: [{list: odd, code: 1,"
	 " factor: 1}],\n     denominator: [{list: odd, code: 1,"
	 " factor: 1}]}]}\n",
	 "124: two metrics are called 'ipc'"},
	{"description: A machine for tests",
	 "description: A machine\nos: nothing",
	 "5: there is no os/nothing.yaml in the events folders"},
};

/* What is refused of a window and of predictors of other kinds, in tables
 * that are shipped; the line is that of the edit. */
static const struct edit window[] = {
	{"decode: [4, 1, 1]", "decode: [4, 0, 1]",
	 "a decoder makes 1 to 16 micro-ops, not 0"},
	{"decode: [4, 1, 1]", "decode: [17, 1, 1]",
	 "a decoder makes 1 to 16 micro-ops, not 17"},
	{"decode: [4, 1, 1]", "decode: [4, 1, 5]",
	 "decoder 2 makes more micro-ops than the first"},
	{"{entries: 40,", "{entries: 0,",
	 "entries is 0, but can be 1 to 127"},
	{"{entries: 12,", "{entries: 128,",
	 "entries is 128, but can be 1 to 127"},
	{"holds: [all], until: retire", "holds: [load], until: retire",
	 "the first queue is the reorder list and holds all"},
	{"holds: [all], until: retire", "holds: [all], until: issue",
	 "the first queue is the reorder list and holds until retire"},
	{"load_ports: [p2]", "load_ports: []", "loads need a port"},
	{"load_ports: [p2]", "load_ports: [p9]",
	 "ports p8 to p15 need a pipeline of kind \"interval\""},
	{"store_ports: [p3]", "store_ports: []", "stores need a port"},
	{"branch_ports: [p1]", "branch_ports: []", "branches need a port"},
	{"data_ports: [p4]", "data_ports: []",
	 "store data, which is split off, needs a port"},
	{"latency: 8, repeat: 3, unit: fpu, ports: [p0], busy: 2",
	 "latency: 8, repeat: 3, unit: fpu, ports: [p0]",
	 "repeat is 3: say what is busy then"},
	{"vpe_of_tc: [0]", "vpe_of_tc: [0, 0]",
	 "a pipeline with a window has one context"},
	{"forward_part: 12", "forward_part: 4",
	 "forward_part is 4, less than forward"},
	{"locks_bus: true", "misaligned: 3", "a window has no misaligned"},
	{"locks_bus: true", "wrong_bubble: 1", "a window has no wrong_bubble"},
	{"locks_bus: true", "load_blocks: true", "a window has no load_blocks"},
	{"locks_bus: true", "barrier_drains: true",
	 "a window has no barrier_drains"},
	{"entries: 64         # known, medium",
	 "owner: context\n      entries: 64", "of one context, all have it"},
	{"  topology:\n", "  tick_evicts: true\n  topology:\n",
	 "a window has no ticks that evict"},
};

/* And of a table that has another one's events beside its own. */
static const struct edit listed[] = {
	{"events_of: p5", "events_of: nothing",
	 "events_of: nothing: there is no such table"},
	{"events_of: p5", "events_of: pii",
	 "events_of: pii: it has no events of its own, or not as many "
	 "counters"},
	{"events_of: p5", "events_of: mips34k",
	 "events_of: mips34k: it has no events of its own, or not as many "
	 "counters"},
};

/* The farthest that is good (code 65535 is, the group that misses 300 not). */
static const struct edit extremes[] = {
	{"clock_hz: 1000000", "clock_hz: 1000", NULL},
	{"clock_hz: 1000000", "clock_hz: 100000000000", NULL},
	{"size: 1024", "size: 64", NULL},
	{"size: 2048", "size: 65536", NULL},
	{"line: 64, policy: random", "line: 32, policy: random", NULL},
	{"page_bits: 13", "page_bits: 30", NULL},
	{"entries: 64, ways: 4", "entries: 64, ways: 64", NULL},
	{"history_bits: 6", "history_bits: 8", NULL},
	{"initial: 2", "initial: 0", NULL},
	{"pc_shift: 1", "pc_shift: 0", NULL},
	{"latency: 23, repeat: 1", "latency: 1000, repeat: 1000", NULL},
	{"load_use: 31", "load_use: 1", NULL},
	{"unit_address: 34", "unit_address: 0", NULL},
	{"store_data_slack: 35", "store_data_slack: 0", NULL},
	{"mispredict: 36", "mispredict: 0", NULL},
	{"indirect: 37", "indirect: 0", NULL},
	{"taken_bubble: 38", "taken_bubble: 0", NULL},
	{"fetch_ahead: 39", "fetch_ahead: 0", NULL},
	{"discarded_tenths: 40", "discarded_tenths: 0", NULL},
	{"itlb_bubble: 41", "itlb_bubble: 0", NULL},
	{"dtlb_replay: 42", "dtlb_replay: 0", NULL},
	{"tlb_refill: 43", "tlb_refill: 0", NULL},
	{"latency: 0x33", "latency: 10000", NULL},
	{"bus_fill: 52", "bus_fill: 0", NULL},
	{"bus_writeback: 53", "bus_writeback: 0", NULL},
	{"beat: 54", "beat: 0", NULL},
	{"fsb: 55", "fsb: 64", NULL},
	{"wbb: 57", "wbb: 1", NULL},
	{"vpes: 3\n    vpe_of_tc: [2, 0, 1, 1]",
	 "vpes: 1\n    vpe_of_tc: [0]", NULL},
	{"bits: 40", "bits: 64", NULL},
	{"code: 300\n", "code: 65535\n", "117: group ipc names event 300, which "
	 "is not on the even list"},
	{"first: 7, last: 9", "first: 65535, last: 65535", NULL},
	{"digits: 3", "digits: 9", NULL},
};

/* What is refused of an operating system's table. */
static const struct edit ledger[] = {
	{"tick_hz: 50", "tick_hz: 100000", NULL},
	{"tick_hz: 50", "tick_hz: 100001",
	 "4: tick_hz is 100001, but can be 0 to 100000"},
	{"tick_hz: 50", "tick_hz: 50\ntick_code: 1048576", NULL},
	{"tick_hz: 50", "tick_hz: 50\ntick_code: 1048577",
	 "5: tick_code is 1048577, but can be 0 to 1048576"},
	{"tick_hz: 50", "tick_hz: 50\nfault_around: 1048576", NULL},
	{"tick_hz: 50", "tick_hz: 50\nfault_around: 2097152",
	 "5: fault_around is 2097152, but can be 0 to 1048576"},
	{"tick_hz: 50", "tick_hz: 50\nfault_around: 98304",
	 "5: fault_around is 98304, no power of two"},
	{"tick_hz: 50", "tick_hz: 50\ntick_data: 64\ntick_stored: 64", NULL},
	{"tick_hz: 50", "tick_hz: 50\ntick_data: 64\ntick_stored: 65",
	 "6: tick_stored is 65, but can be 0 to 64"},
	{"tick_hz: 50", "tick_hz: 50\ntick_data: 1048577",
	 "5: tick_data is 1048577, but can be 0 to 1048576"},
	{"cause: tick", "cause: syscall", "12: this cause is given twice"},
	{"cause: tick", "cause: sleep",
	 "12: 'sleep' is not a word that 'cause' can be"},
	{"mode: exl", "mode: user",
	 "13: 'user' is not a word that 'mode' can be"},
	{"signal: icache.miss", "signal: icache.mist",
	 "11: unknown signal 'icache.mist'"},
	{"signal: icache.miss", "signal: icache.*",
	 "11: unknown signal 'icache.*'"},
	{"signal: icache.miss", "signal: insn",
	 "11: signal 'insn' is given twice"},
	{"count: 9", "count: 5000000000",
	 "15: '5000000000' is out of range for 'count'"},
	{"    cost: [{signal: insn, count: 9}]\n", "",
	 "12: key 'cost' is missing"},
};

/* Files that are wrong as a whole. */
static const struct {
	const char *file, *sentence;
} files[] = {
	{"empty.yaml", ":1: the file is empty"},
	{"comment.yaml", ":1: the file is empty"},
	{"tab.yaml", ":3: found character that cannot start any token"},
	{"unclosed.yaml", ":2: did not find expected ',' or ']'"},
	{"bomb.yaml", ":1: anchors are not allowed"},
	{"alias.yaml", ":1: aliases are not allowed"},
	{"documents.yaml", ":2: a second document starts here"},
	{"deep.yaml", ":1: nested more than 12 deep"},
	{"null.yaml", ":1: text with a null character"},
	{"bytes.yaml", ":2: invalid leading UTF-8 octet"},
	{"tag.yaml", ":1: tags are not allowed"},
	{"list.yaml", ":1: 'file' should hold keys and values"},
	{"key.yaml", ":1: a key must be a word"},
	{"merge.yaml", ":2: unknown key '<<'"},
	{"keys.yaml", ":65: more than 64 keys in one mapping"},
	{"missing.yaml", ": No such file or directory"},
	{"", ": Is a directory"},
};

static char folder[] = "/tmp/pmcsim-bad-XXXXXX";

static char *
read_text(const char *path)
{
	char *text = NULL;
	size_t room = 0;
	FILE *in = fopen(path, "r");

	assert_non_null(in);
	assert_true(getdelim(&text, &room, '\0', in) > 0);
	fclose(in);
	return text;
}

static void
write_text(const char *path, const char *text)
{
	FILE *out = fopen(path, "w");

	assert_non_null(out);
	fputs(text, out);
	assert_int_equal(fclose(out), 0);
}

/* The text with its edit made; from must be there once. */
static char *
edited(const char *text, const struct edit *edit)
{
	const char *at = strstr(text, edit->from);
	char *new;

	if (!at || strstr(at + 1, edit->from))
		fail_msg("'%s' is not there once", edit->from);
	assert_true(asprintf(&new, "%.*s%s%s", (int)(at - text), text,
			     edit->to, at + strlen(edit->from)) > 0);
	return new;
}

/* The sentence of an edit of a shipped table. */
static char *
placed(const char *text, const struct edit *edit)
{
	const char *end = strstr(text, edit->from);
	unsigned line = 1;
	char *sentence;

	for (; text < end; text++)
		line += *text == '\n';
	assert_true(asprintf(&sentence, "%u: %s", line, edit->sentence) > 0);
	return sentence;
}

/* Loads cpu: it must be refused with file and sentence, or accepted. */
static void
expect(const char *cpu_path, const char *file, const char *sentence)
{
	struct pmcsim_error error;
	struct pmcsim_cpu *cpu;
	char wanted[600];
	int rc = pmcsim_cpu_load(cpu_path, &cpu, &error);

	if (!sentence) {
		if (rc)
			fail_msg("%s", error.text);
		pmcsim_cpu_free(cpu);
		return;
	}
	snprintf(wanted, sizeof wanted, "%s:%s", file, sentence);
	assert_string_equal(error.text, wanted);
	assert_int_equal(rc, -EINVAL);
	assert_null(cpu);
}

static void
expect_edits(const struct edit *edit, size_t n)
{
	char path[64], *good = read_text(TABLES "small.yaml");

	snprintf(path, sizeof path, "%s/bad.yaml", folder);
	for (; n--; edit++) {
		char *bad = edited(good, edit);

		write_text(path, bad);
		expect(path, path, edit->sentence);
		free(bad);
	}
	unlink(path);
	free(good);
}

static void
test_grammar(void **state)
{
	(void)state;
	expect_edits(grammar, SIM_COUNT(grammar));
}

static void
test_meaning(void **state)
{
	(void)state;
	expect_edits(meaning, SIM_COUNT(meaning));
}

static void
expect_shipped(const char *file, const struct edit *edit, size_t n)
{
	char path[64], *good = read_text(file);

	snprintf(path, sizeof path, "%s/bad.yaml", folder);
	for (; n--; edit++) {
		char *bad = edited(good, edit);
		char *sentence = placed(good, edit);

		write_text(path, bad);
		expect(path, path, sentence);
		free(sentence);
		free(bad);
	}
	unlink(path);
	free(good);
}

static void
test_window(void **state)
{
	(void)state;
	expect_shipped(EVENTS "p6.yaml", window, SIM_COUNT(window));
}

/* Clock ticks, in a table that names no system which has them. */
static void
test_ticks(void **state)
{
	static const struct edit without_os = {
		"os: linux\n\nmachine:\n",
		"machine:\n  tick_evicts: true\n", NULL};
	char path[64], *good = read_text(EVENTS "mips34k.yaml");
	char *bad = edited(good, &without_os);

	(void)state;
	snprintf(path, sizeof path, "%s/bad.yaml", folder);
	write_text(path, bad);
	expect(path, path, "27: clock ticks are those of an os");
	unlink(path);
	free(bad);
	free(good);
}

static void
test_listed(void **state)
{
	(void)state;
	setenv("PMCSIM_EVENTS", EVENTS, 1);
	expect_shipped(EVENTS "p55c.yaml", listed, SIM_COUNT(listed));
	unsetenv("PMCSIM_EVENTS");
}

static void
test_extremes(void **state)
{
	(void)state;
	expect_edits(extremes, SIM_COUNT(extremes));
}

static void
test_files(void **state)
{
	struct pmcsim_error error;
	struct pmcsim_cpu *cpu;
	char path[600], wanted[700];

	(void)state;
	for (size_t i = 0; i < SIM_COUNT(files); i++) {
		snprintf(path, sizeof path, TABLES "%s", files[i].file);
		snprintf(wanted, sizeof wanted, "%s%s", path,
			 files[i].sentence);
		assert_true(pmcsim_cpu_load(path, &cpu, &error) < 0);
		assert_string_equal(error.text, wanted);
	}
}

/* A machine with an operating system of its own folder, good and bad. */
static void
test_ledger(void **state)
{
	static const struct edit with_os = {
		"name: small", "name: small\nos: board", NULL};
	char cpu_path[64], os[64], path[64];
	char *small = read_text(TABLES "small.yaml");
	char *good = read_text(TABLES "os/board.yaml");
	char *cpu = edited(small, &with_os);

	(void)state;
	snprintf(cpu_path, sizeof cpu_path, "%s/cpu.yaml", folder);
	snprintf(os, sizeof os, "%s/os", folder);
	snprintf(path, sizeof path, "%s/os/board.yaml", folder);
	assert_int_equal(mkdir(os, 0700), 0);
	write_text(cpu_path, cpu);
	setenv("PMCSIM_EVENTS", folder, 1);
	for (size_t i = 0; i < SIM_COUNT(ledger); i++) {
		char *bad = edited(good, &ledger[i]);

		write_text(path, bad);
		expect(cpu_path, path, ledger[i].sentence);
		free(bad);
	}
	unlink(path);
	unlink(cpu_path);
	rmdir(os);
	free(cpu);
	free(good);
	free(small);
}

static void
test_ledger_values(void **state)
{
	static const struct edit with_os = {
		"name: small", "name: small\nos: board", NULL};
	char path[64], *small = read_text(TABLES "small.yaml");
	char *text = edited(small, &with_os);
	struct pmcsim_error error;
	struct pmcsim_cpu *cpu;
	const struct ledger_config *l;

	(void)state;
	snprintf(path, sizeof path, "%s/cpu.yaml", folder);
	write_text(path, text);
	setenv("PMCSIM_EVENTS", TEST_DATA_DIR "/tables", 1);
	assert_int_equal(pmcsim_cpu_load(path, &cpu, &error), 0);
	l = &cpu->config.ledger;
	assert_int_equal(l->tick_cycles, 20000);
	assert_int_equal(l->cause[LEDGER_SYSCALL].mode, MODE_SUPERVISOR);
	assert_int_equal(l->cause[LEDGER_SYSCALL].cost[SIG_INSN], 7);
	assert_int_equal(l->cause[LEDGER_SYSCALL].cost[SIG_ICACHE_MISS], 2);
	assert_int_equal(l->cause[LEDGER_TICK].mode, MODE_EXL);
	assert_int_equal(l->cause[LEDGER_TICK].cost[SIG_INSN], 9);
	assert_int_equal(l->cause[LEDGER_PAGE].cost[SIG_INSN], 0);
	pmcsim_cpu_free(cpu);
	unlink(path);
	free(text);
	free(small);
}

/* Larger than a megabyte, and not a file. */
static void
test_size(void **state)
{
	struct pmcsim_error error;
	struct pmcsim_cpu *cpu;
	char path[64], wanted[128];

	(void)state;
	snprintf(path, sizeof path, "%s/large.yaml", folder);
	write_text(path, "name: x\n");
	assert_int_equal(truncate(path, 1 << 20), 0);
	expect(path, path, "2: control characters are not allowed");
	assert_int_equal(truncate(path, (1 << 20) + 1), 0);
	assert_int_equal(pmcsim_cpu_load(path, &cpu, &error), -EFBIG);
	snprintf(wanted, sizeof wanted, "%s: larger than 1048576 bytes", path);
	assert_string_equal(error.text, wanted);
	unlink(path);
	assert_int_equal(mkfifo(path, 0600), 0);
	assert_int_equal(pmcsim_cpu_load(path, &cpu, &error), -EINVAL);
	snprintf(wanted, sizeof wanted, "%s: not a regular file", path);
	assert_string_equal(error.text, wanted);
	unlink(path);
}

static int
make_folder(void **state)
{
	(void)state;
	unsetenv("PMCSIM_EVENTS");
	return mkdtemp(folder) ? 0 : -1;
}

static int
remove_folder(void **state)
{
	(void)state;
	return rmdir(folder);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_grammar),
		cmocka_unit_test(test_meaning),
		cmocka_unit_test(test_window),
		cmocka_unit_test(test_ticks),
		cmocka_unit_test(test_listed),
		cmocka_unit_test(test_extremes),
		cmocka_unit_test(test_files),
		cmocka_unit_test(test_ledger),
		cmocka_unit_test(test_ledger_values),
		cmocka_unit_test(test_size),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
