# SPDX-License-Identifier: GPL-2.0-or-later
"""Counts of programs on emulated processors, by "pmcsim stat".

>>> import pmcsim
>>> report = pmcsim.count(["./prog"], cpu="p6", events=["cycles:u"])
>>> report["cycles:u"]
1534
"""
import dataclasses
import json
import os
import pathlib
import subprocess
import tempfile


class Error(Exception):
    """What pmcsim says in one sentence, and its exit status."""

    def __init__(self, sentence, status):
        super().__init__(sentence)
        self.status = status


@dataclasses.dataclass(frozen=True)
class Count:
    """An event's count; None if there is none, and why."""
    name: str
    value: "int | float | None"
    unit: str
    reason: "str | None"
    deviation: "float | None"   # percent, of repeats
    region: "str | None"        # or thread, whose it is; None: the command's


@dataclasses.dataclass(frozen=True)
class Metric:
    """What is worked out from counts."""
    name: str
    value: float
    of: str     # the event that it stands beside


@dataclasses.dataclass(frozen=True)
class Report:
    """What a command has done on a processor."""
    cpu: str
    engine: str
    environment: str    # a hash of the command's variables
    command: tuple
    status: int         # the command's exit status
    notes: tuple        # what pmcsim says of the run
    counts: tuple
    metrics: tuple

    def __getitem__(self, name):
        """The count of an event, by the name that it was asked by."""
        for count in self.counts:
            if count.name == name:
                return count.value
        raise KeyError(name)


def _number(text):
    value = float(text)
    return int(value) if value.is_integer() else value


def _count(line):
    text = line["counter-value"]
    missing = text.startswith("<")
    return Count(name=line["event"], unit=line["unit"],
                 value=None if missing else _number(text),
                 reason=text.strip("<>") if missing else None,
                 deviation=line.get("variance"),
                 region=line.get("region", line.get("thread")))


def _words(command, cpu, events, metrics, options):
    words = [os.environ.get("PMCSIM", "pmcsim"), "stat", "-j", "--cpu", cpu]
    if events:
        words += ["-e", ",".join(events)]
    if metrics:
        words += ["-M", ",".join(metrics)]
    for name, value in options.items():
        values = [value] if isinstance(value, (str, int)) else value
        for each in values:
            words += ["--" + name.replace("_", "-"), str(each)]
    return [*words, "--", *map(os.fspath, command)]


def _read(text):
    """Counts and metrics of the lines, and the last line."""
    counts, metrics, line = [], [], {}
    for line in map(json.loads, text.splitlines()):
        if "counter-value" in line:
            counts.append(_count(line))
        if line.get("metric-unit"):
            metrics.append(Metric(line["metric-unit"], line["metric-value"],
                                  counts[-1].name))
    return tuple(counts), tuple(metrics), line


def count(command, cpu="skylake", events=(), metrics=(), env="clean",
          stdin=subprocess.DEVNULL, stdout=None, **options):
    """Runs the command on the processor and returns a Report.

    Events and metrics are those of "pmcsim list --linux CPU"; env is what
    "pmcsim stat --env" takes, one or a list, None for the caller's variables.
    Other options are those of "pmcsim stat" with an argument: engine="native",
    repeat=3.  A command's own failure is its status; pmcsim's is an Error.
    """
    if env is not None:
        options["env"] = env
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "counts")
        words = _words(command, cpu, events, metrics,
                       {"output": path.as_posix(), **options})
        try:
            done = subprocess.run(words, stdin=stdin, stdout=stdout,
                                  stderr=subprocess.PIPE, check=False)
        except OSError as error:
            raise Error(f"{words[0]}: {error.strerror}", 127) from error
        said = done.stderr.decode(errors="replace").splitlines()
        if not path.exists():
            raise Error(said[-1] if said else f"{words[0]} has failed",
                        done.returncode)
        counts, metrics, line = _read(path.read_text(encoding="utf-8"))
    return Report(cpu=line["model"], engine=line["engine"],
                  environment=line["environment"],
                  command=tuple(map(os.fspath, command)),
                  status=done.returncode, counts=counts, metrics=metrics,
                  notes=tuple(said))
