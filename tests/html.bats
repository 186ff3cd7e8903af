#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# prof -html, in a browser without a screen: scripts that are added to the page
# do what a user does, and say what is there then.

load helper
load profiles

need_browser() {
	browser=$(command -v chromium || command -v chromium-browser) ||
		skip "no chromium"
}

# in_page PAGE <script: its lines of output.  What goes wrong in the page is one.
in_page() {
	{
		sed '/^<\/body>$/,$d' "$1"
		cat <<-'END'
		<pre id="said"></pre>
		<script>
		const said = [];
		const say = (...words) => said.push(words.join(" "));
		const all = s => [...document.querySelectorAll(s)];
		const frame = n => all(".frame").filter(d => d.dataset.name === n)[0];
		const tab = n => all("#tabs button").filter(
			b => b.dataset.tab === n)[0].click();
		const change = (id, value) => {
			const e = document.getElementById(id);
			e.value = value;
			e.dispatchEvent(new Event("change"));
			e.dispatchEvent(new Event("input"));
		};
		const sum = list => list.reduce((a, b) => a + b, 0);
		// What is as far from the ground: its widths as a part of all.
		const at = depth => all(".frame").filter(
			d => +d.dataset.depth === depth);
		const widths = depth => (sum(at(depth).map(
			d => parseFloat(d.style.width)))).toFixed(3);
		const values = depth => sum(at(depth).map(d => +d.dataset.value));
		try {
		END
		cat
		cat <<-'END'
		} catch (e) { say("error", e); }
		document.getElementById("said").textContent =
			"\n" + said.join("\n") + "\n";
		</script>
		</body></html>
		END
	} >tried.html
	timeout 120 "$browser" --headless --no-sandbox --disable-gpu \
		--window-size=1200,800 --user-data-dir="$PWD/browser" \
		--dump-dom "file://$PWD/tried.html" 2>log |
		sed -n '/<pre id="said">/,/<\/pre>/p' | sed '1d;$d' |
		sed 's/&lt;/</g; s/&gt;/>/g; s/&amp;/\&/g'
}

make_calls() {
	need_engine
	cat >calls.c <<-'END'
	static volatile int sink;
	__attribute__((noinline)) void leaf(int n) { while (n--) sink += n; }
	__attribute__((noinline)) void left(void) { leaf(1000); sink++; }
	__attribute__((noinline)) void right(void) { leaf(RIGHT); sink++; }
	int main(void) { left(); right(); return 0; }
	void _start(void)
	{
		main();
		__asm__ volatile("syscall" : : "a" (60), "D" (0));
	}
	END
	cc -g -O1 -DRIGHT="${1:-3000}" -nostdlib -static -no-pie -o calls \
		"$PWD/calls.c" || skip "no compiler"
	uprofile -quiet -calls -period 1 -dirname "${2:-.}" retinst cycles0 ./calls
}

@test "the page is one file, and asks for no other" {
	make_calls
	prof -html page
	[ "$(head -n 1 page)" = "<!DOCTYPE html>" ]
	run -1 grep -nE '(src|href)=|@import|url\(|https?:|fetch\(|XMLHttp' page
	prof -html - | cmp - page
	run -125 prof -html missing/page
}

@test "a graph whose widths are the total, and a click that zooms" {
	make_calls
	need_browser
	total=$(total retinst)
	prof -html page
	in_page page >said <<-'END'
	say(document.title);
	say("all", values(0), widths(0));
	for (const depth of [1, 2, 3, 4])
		say(depth, values(depth), at(depth).map(d => d.dataset.name));
	frame("right").click();
	say("right", frame("right").style.width, widths(4));
	say("left", !!frame("left"));
	say("above", all(".frame.above").map(d => d.dataset.name));
	document.getElementById("reset").click();
	say("again", widths(0), !!frame("left"));
	tab("icicle");
	say("icicle", frame("all").style.top, frame("leaf").style.top);
	END
	right=$(prof -folded - | awk '/;right/ { n += $NF } END { print n }')
	main=$(prof -folded - | awk '/;main/ { n += $NF } END { print n }')
	leaf=$(prof -folded - | awk '/;leaf / { n += $NF } END { print n }')
	same said <<-END
	prof: umon.out
	all $total 100.000
	1 $total _start
	2 $main main
	3 $(prof -folded - | awk '/;(left|right)/ { n += $NF } END { print n }') right,left
	4 $leaf leaf,leaf
	right 100% $(awk -v a=$right 'BEGIN { printf "%.3f", 100 * (a - 6) / a }')
	left false
	above all,_start,main
	again 100.000 true
	icicle 0px 80px
	END
}

@test "widths are the total where most are too narrow to be seen" {
	need work
	need_browser
	run -7 uprofile -exact retinst cycles0 "$target"
	prof -html page
	total=$(total retinst) cycles=$(total cycles0)
	in_page page >said <<-'END'
	say(values(0), values(1), widths(1), all(".small").length > 0);
	change("event", 1);
	say(values(0), values(1), widths(1));
	END
	same said <<-END
	$total $total 100.000 true
	$cycles $cycles 100.000
	END
}

@test "search, procedures and sources" {
	make_calls
	need_browser
	prof -html page
	in_page page >said <<-'END'
	change("search", "leaf");
	say(all(".hit").map(d => d.dataset.name),
	    document.getElementById("found").textContent);
	change("search", "");
	tab("procedures");
	const cells = r => [...r.children].map(c => c.textContent);
	const names = all("#procedures tbody tr").map(r => cells(r)[2]);
	say(names[0], names.sort());
	all("#procedures th")[1].click();
	say(all("#procedures tbody tr").map(r => cells(r)[2]));
	say(cells(all("#procedures tbody tr")[3])[0].split(" ")[0]);
	all("#procedures tbody tr").filter(
		r => cells(r)[2] === "right")[0].click();
	say(document.getElementById("file").value.split("/").pop(),
	    all("#source tr.target").map(r => r.dataset.line));
	const counted = all("#source tbody tr").filter(r => +r.dataset.value);
	say("lines", sum(counted.map(r => +r.dataset.value)));
	say(cells(counted[0]).slice(2).join(": "));
	END
	total=$(total retinst)
	part=$(prof -folded - | awk -v all=$total '/;leaf / { n += $NF }
		END { printf "%.1f%%", 100 * n / all }')
	same said <<-END
	leaf,leaf found: $part
	leaf _start,leaf,left,main,right
	$(prof -inclusive -event retinst | entries | awk '{ printf "%s%s", (NR > 1 ? "," : ""), $5 }')
	$(prof -inclusive -event retinst | entries | awk 'NR == 4 { print $4 }' |
		sed ':a; s/\([0-9]\)\([0-9]\{3\}\)\($\|,\)/\1,\2\3/; ta')
	calls.c 4
	lines $total
	2: __attribute__((noinline)) void leaf(int n) { while (n--) sink += n; }
	END
}

@test "two profiles, in red and blue" {
	mkdir a b
	make_calls 3000 a
	make_calls 500 b
	need_browser
	prof -diff -html page a/umon.out b/umon.out
	in_page page >said <<-'END'
	const kind = n => {
		const [r, g, b] = frame(n).style.backgroundColor
			.match(/\d+/g).map(Number);
		return r > b ? "red" : b > r ? "blue" : "grey";
	};
	say("left", kind("left"), "right", kind("right"));
	say("B", values(0), values(1), widths(1));
	change("width", 0);
	say("A", values(0), values(1), widths(1));
	tab("procedures");
	say(all("#procedures tbody tr")[0].children[4].className,
	    all("#procedures tbody tr")[0].children[4].textContent);
	END
	a=$(awk '$2 == "retinst" { print $5 }' a/umon.out)
	b=$(awk '$2 == "retinst" { print $5 }' b/umon.out)
	least=$(prof -diff -only leaf a/umon.out b/umon.out |
		awk '$NF == "(calls)" { print substr($3, 2); exit }')
	same said <<-END
	left red right blue
	B $b $b 100.000
	A $a $a 100.000
	less −$(echo "$least" | sed ':a; s/\([0-9]\)\([0-9]\{3\}\)\($\|,\)/\1,\2\3/; ta')
	END
}

@test "names of all kinds stay text" {
	make_calls
	need_browser
	cp calls 'a<!--<script>b'
	uprofile -quiet -calls -period 1 retinst './a<!--<script>b'
	prof -html page
	in_page page >said <<-'END'
	say(document.getElementById("title").textContent);
	say(frame("all").title.split("\n")[0], document.title);
	END
	same said <<-'END'
	./a<!--<script>b
	all prof: umon.out
	END
}
