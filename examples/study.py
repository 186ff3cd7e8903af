# SPDX-License-Identifier: GPL-2.0-or-later
"""What the two studies share: builds, sweeps, the manual's tables."""
import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
CROSS = os.environ.get("MIPSEL_CC", "mipsel-linux-gnu-gcc")
CFLAGS = ["-std=c17", "-D_GNU_SOURCE", "-O2", "-static", "-pthread"]


class StudyError(Exception):
    """Something is missing or failed; the text is one sentence."""


def parser_of(text, quick=True):
    """The options of all studies."""
    parser = argparse.ArgumentParser(description=text)
    if quick:
        parser.add_argument("--quick", action="store_true",
                            help="measure the first columns only")
    parser.add_argument("--pc-sweep", metavar="PROGRAM",
                        default=os.environ.get("PC_SWEEP", "pc_sweep"),
                        help="the pc_sweep to run (default: $PC_SWEEP, or"
                        " the one in the PATH)")
    return parser


def parse(parser):
    """What the command line says; runs are in another folder."""
    options = parser.parse_args()
    if "/" in options.pc_sweep:
        options.pc_sweep = os.path.abspath(options.pc_sweep)
    return options


def run(command, **options):
    """Runs a command that must succeed."""
    if shutil.which(command[0]) is None:
        raise StudyError(f"{command[0]} is not installed or not in the PATH")
    done = subprocess.run([str(word) for word in command], check=False,
                          **options)
    if done.returncode != 0:
        raise StudyError(f"{command[0]} ended with status {done.returncode}")
    return done


def build(compiler, output, *sources):
    """Compiles sources below this folder; static MIPS if CROSS."""
    flags = CFLAGS if compiler == CROSS else CFLAGS[:3]
    run([compiler, *flags, "-o", output, *(HERE / name for name in sources)])
    return output


def host_compiler():
    """The compiler for programs that run here."""
    return os.environ.get("CC", "cc").split()[0]


def write(path, command):
    """The file with what the command prints."""
    with open(path, "wb") as file:
        run(command, stdout=file)
    return path


def build_decoder(here):
    """Our decoder and its stream in that folder; the command but for the
    number of threads."""
    build(CROSS, here / "vdec.mipsel", "vdec/vdec.c", "vdec/codec.c",
          "vdec/tables.c")
    make = build(host_compiler(), here / "vdec-make", "vdec/vdec-make.c",
                 "vdec/codec.c", "vdec/tables.c")
    write(here / "stream", [make])
    return ["./vdec.mipsel", "-b", "stream", "-n"]


def ticking(here, table="mips34k"):
    """A copy of that table, or that file, in that folder: its clock ticks evict
    lines (pmcsim-table(5))."""
    source = pathlib.Path(table)
    if not source.is_file():
        source = HERE.parent / "events" / f"{table}.yaml"
    copy = here / f"ticking-{source.name}"
    copy.write_text(source.read_text().replace(
        "  topology:\n", "  tick_evicts: true\n  topology:\n", 1))
    return copy


def sweep(pc_sweep, rows, here, command, *more):
    """Counts of a run of the command: {(list, event): value or None}.

    It runs in that folder, with few variables, as a cell of a study file does;
    more are options of pc_sweep.  What is left to differ is the path of the
    program, which the C library of a static one looks at.
    """
    evens = sorted({row["event"] for row in rows if row["list"] == "even"})
    odds = sorted({row["event"] for row in rows if row["list"] == "odd"})
    with tempfile.TemporaryDirectory() as folder:
        report = pathlib.Path(folder, "report.json")
        run([pc_sweep, *more, "-ui", "--once", "--json", "--output", report,
             "--env", "clean",
             "--evens", " ".join(map(str, evens)),
             "--odds", " ".join(map(str, odds)), "--", *command],
            cwd=here, stdout=subprocess.DEVNULL)
        data = json.loads(report.read_text())
    if data["partial"]:
        raise StudyError("pc_sweep was interrupted")
    return {(c["list"], c["event"]): c["value"] for c in data["counts"]
            if c["mode"] == "U"}


def manual(name):
    """A table of the manual: column names, and rows as dictionaries."""
    lines = [line.split("\t") for line in
             (HERE / name).read_text().splitlines()
             if not line.startswith("#")]
    columns = lines[0][3:]
    rows = [{"metric": line[0], "list": line[1], "event": int(line[2]),
             "value": dict(zip(columns, map(int, line[3:])))}
            for line in lines[1:]]
    return columns, rows


def deviation(ours, theirs):
    """Ours against the manual's, in percent."""
    return f"{100 * (ours - theirs) / theirs:+.1f} %" if theirs else "-"


def print_row(name, cells):
    """One row of a markdown table."""
    print("| " + " | ".join([name, *cells]) + " |")


def print_table(heading, rows, measured):
    """Ours beside the manual's; measured is {column: counts}."""
    columns = list(measured)
    print_row(heading, columns)
    print("|---|" + "---:|" * len(columns))
    for row in rows:
        key = (row["list"], row["event"])
        ours = [measured[column][key] for column in columns]
        theirs = [row["value"][column] for column in columns]
        print_row(row["metric"] + ", manual", [f"{v:,}" for v in theirs])
        print_row("ours", ["not modelled" if v is None else f"{v:,}"
                           for v in ours])
        print_row("deviation", ["-" if v is None else deviation(v, w)
                                for v, w in zip(ours, theirs)])


def value(rows, counts, metric):
    """A measured value by the name of its row."""
    row = next(row for row in rows if row["metric"] == metric)
    return counts[(row["list"], row["event"])]


def theirs(rows, column, metric):
    """The manual's value."""
    row = next(row for row in rows if row["metric"] == metric)
    return row["value"][column]


def ratio_cell(ratio, of, base):
    """The ratio as text; a dash if it needs what is not modelled."""
    try:
        return f"{ratio(of, base):.3f}"
    except (TypeError, ZeroDivisionError):
        return "-"


def print_ratio(name, rows, measured, ratio):
    """A ratio, from a function of (metric -> value, metric -> base value)."""
    base = next(iter(measured))
    print_row(f"{name}, manual", [
        ratio_cell(ratio, lambda m, c=column: theirs(rows, c, m),
                   lambda m: theirs(rows, base, m))
        for column in measured])
    print_row("ours", [
        ratio_cell(ratio, lambda m, c=column: value(rows, measured[c], m),
                   lambda m: value(rows, measured[base], m))
        for column in measured])


def main(study):
    """Runs a study; its errors become one sentence and status 1."""
    try:
        study()
    except (StudyError, OSError, KeyError, ValueError) as error:
        sys.exit(f"{pathlib.Path(sys.argv[0]).name}: {error}")
