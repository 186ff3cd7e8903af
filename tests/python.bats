#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# The module for Python.

load helper

setup() {
	export HOME=$BATS_TEST_TMPDIR XDG_STATE_HOME=$BATS_TEST_TMPDIR/state
	cd "$BATS_TEST_TMPDIR"
	command -v python3 >/dev/null || skip "no python3"
	need_engine
	make_loop
	export PYTHONPATH=$PMCSIM_SRCDIR/python PYTHONDONTWRITEBYTECODE=1
}

@test "counts, metrics, and what is not there" {
	python3 - <<-'END'
		import os, pmcsim
		r = pmcsim.count(["./loop"], cpu="p6", metrics=["ipc"],
		                 events=["instructions:u", "branches:u", "bus-cycles"])
		assert r["instructions:u"] == 2004 and r["branches:u"] == 1000
		assert isinstance(r["branches:u"], int)
		assert r["bus-cycles"] is None
		[missing] = [c for c in r.counts if c.value is None]
		assert missing.reason == "not supported"
		assert [m.name for m in r.metrics].count("ipc") == 1
		assert r.cpu == "p6" and r.engine == os.environ["engine_name"] and r.status == 0
		assert r.command == ("./loop",) and not r.notes
		# The default environment is always the same.
		os.environ["MORE"] = "1"
		assert pmcsim.count(["./loop"], cpu="p6", metrics=["ipc"],
		    events=["instructions:u", "branches:u", "bus-cycles"]) == r
		try:
		    r["some"]
		except KeyError:
		    pass
		else:
		    raise AssertionError
	END
}

@test "options, the command's status, and failures" {
	python3 - <<-'END'
		import pmcsim, subprocess
		r = pmcsim.count(["sh", "-c", "echo $A $B; exit 7"], cpu="mips34k",
		                 events=["instructions"], env=["clean", "A=1"],
		                 stdout=open("out", "w"), repeat=2)
		assert r.status == 7 and r.counts[0].deviation is not None
		assert open("out").read() == "1\n1\n"
		for words, cpu, status, text in (
		        (["./none"], "p6", 127, "pmcsim stat: ./none: no such program"),
		        (["true"], "p7", 125, "pmcsim stat: no CPU table is called 'p7'")):
		    try:
		        pmcsim.count(words, cpu=cpu)
		    except pmcsim.Error as error:
		        assert str(error).startswith(text), error
		        assert error.status == status
		    else:
		        raise AssertionError
	END
}
