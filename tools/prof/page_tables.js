/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Procedures as a table, and the lines of their sources. */
function cell(row, text, kind) {
	const td = document.createElement("td");
	td.textContent = text;
	if (kind)
		td.className = kind;
	row.append(td);
	return td;
}

function changeCell(row, a, b) {
	const d = b - a;
	cell(row, d ? signed(d) : "", d > 0 ? "more" : "less");
}

const columns = [];
sides.forEach((side, s) => {
	const name = two ? " " + "AB"[s] : "";
	columns.push({ title: "alone" + name, key: x => x.self[s],
		share: s, side: s });
	columns.push({ title: "with calls" + name, key: x => x.all[s],
		share: s, side: s });
});
if (two) {
	columns.push({ title: "B \u2212 A, alone",
		key: x => x.self[1] - x.self[0], change: true });
	columns.push({ title: "B \u2212 A, with calls",
		key: x => x.all[1] - x.all[0], change: true });
}
columns.push({ title: "procedure", key: x => x.procedure.name, text: true });
columns.push({ title: "file", key: x => place(x.procedure), text: true });
order.column = two ? columns[4] : columns[0];

function place(p) {
	const at = p.begin[sides.length - 1] || p.begin[0];
	return at && at.file ? at.file + (at.line ? ":" + at.line : "") :
		p.object;
}

function compare(x, y) {
	const c = order.column;
	const a = c.key(x), b = c.key(y);
	if (c.text)
		return (a < b ? -1 : a > b ? 1 : 0) * (order.down ? 1 : -1);
	const size = c.change ? Math.abs : v => v;
	return (size(b) - size(a)) * (order.down ? 1 : -1);
}

function drawProcedures() {
	const section = element("procedures"), text = wanted();
	const head = document.createElement("tr");
	for (const c of columns) {
		const th = document.createElement("th");
		th.textContent = c.title;
		th.className = c.text ? "text" : "";
		if (c === order.column)
			th.setAttribute("aria-sort", order.down !== !!c.text ?
				"descending" : "ascending");
		th.addEventListener("click", () => {
			order = { column: c,
				down: c === order.column ? !order.down : true };
			drawProcedures();
		});
		head.append(th);
	}
	const list = sums().filter(x => !text || hits(x.procedure, text))
		.sort(compare);
	const rows = list.slice(0, ROWS).map(x => {
		const row = document.createElement("tr");
		for (const c of columns) {
			const v = c.key(x);
			if (c.text)
				cell(row, v, "text");
			else if (c.change)
				changeCell(row, 0, v);
			else
				cell(row, v ? count(v) + "  " +
					percent(v, total(c.side)) : "");
		}
		row.addEventListener("click", () => goTo(x.procedure));
		return row;
	});
	section.querySelector("thead").replaceChildren(head);
	section.querySelector("tbody").replaceChildren(...rows);
	section.querySelector(".more").textContent = list.length > ROWS ?
		`${list.length - ROWS} more: search for them` : "";
}

/* ---- Sources ---- */

/* Counts of lines by file, of all sides.  Those of the first of two are where
 * the line is in the second, which is as far from where its procedure
 * begins. */
function lineNow(s, row) {
	const p = of[s][row[0]];
	const file = sides[s].files[row[1]].name, then = p.begin[s];
	const now = p.begin[sides.length - 1];
	if (s === sides.length - 1 || !now || then.file !== file)
		return [file, row[2]];
	return [now.file, row[2] - then.line + now.line];
}

const sources = new Map();
sides.forEach((side, s) => side.lines.forEach(row => {
	const [file, line] = lineNow(s, row);
	if (!sources.has(file))
		sources.set(file, { counts: new Map(), text: new Map(),
			missing: true });
	const counts = sources.get(file).counts;
	if (!counts.has(line))
		counts.set(line, sides.map(() => data.events.map(() => 0)));
	data.events.forEach((_, e) => {
		counts.get(line)[s][e] += row[3 + e];
	});
}));
for (const f of sides[sides.length - 1].files) {
	const source = sources.get(f.name);
	if (!source)
		continue;
	source.missing = !f.text;
	for (const [first, lines] of f.text || [])
		lines.forEach((t, i) => source.text.set(first + i, t));
}

const costOf = source => {
	let sum = 0;
	for (const c of source.counts.values())
		sum += c[width][event];
	return sum;
};

function listFiles() {
	const file = element("file"), chosen = file.value;
	const list = [...sources].map(([name, s]) => [name, costOf(s)])
		.sort((x, y) => y[1] - x[1] || (x[0] < y[0] ? -1 : 1));
	file.replaceChildren(...list.map(([name, cost]) => {
		const o = document.createElement("option");
		o.value = name;
		o.textContent = `${name}  ${percent(cost, total(width))}`;
		return o;
	}));
	if (sources.has(chosen))
		file.value = chosen;
}

function drawSource(target) {
	const section = element("source"), name = element("file").value;
	const source = sources.get(name);
	const head = document.createElement("tr");
	const titles = two ? ["A", "B", "B \u2212 A", "line"] :
		[data.events[event].name, "%", "line"];
	for (const t of titles) {
		const th = document.createElement("th");
		th.textContent = t;
		head.append(th);
	}
	const th = document.createElement("th");
	th.className = "text";
	th.textContent = source && source.missing ?
		"the text of this file was not there" : "source";
	head.append(th);
	const lines = source ? [...new Set([...source.counts.keys(),
		...source.text.keys()])].sort((x, y) => x - y) : [];
	const most = source ? Math.max(1, ...[...source.counts.values()]
		.map(c => c[width][event])) : 1;
	let last = 0, marked = null;
	const rows = [];
	for (const line of lines) {
		const row = document.createElement("tr");
		const c = source.counts.get(line);
		const v = sides.map((_, s) => c ? c[s][event] : 0);
		if (last && line !== last + 1) {
			const gap = document.createElement("tr");
			titles.forEach(() => cell(gap, ""));
			cell(gap, "\u22ee", "code");
			rows.push(gap);
		}
		last = line;
		v.forEach(n => cell(row, n ? count(n) : ""));
		if (two)
			changeCell(row, v[0], v[1]);
		else
			cell(row, v[0] ? percent(v[0], total(0)) : "");
		cell(row, line || "");
		const code = cell(row, source.text.get(line) || "", "code");
		const size = 100 * v[width] / most;
		if (size)
			code.style.background = "linear-gradient(to right, " +
				`var(--bar) ${size}%, transparent ${size}%)`;
		row.dataset.line = line;
		row.dataset.value = v[width];
		if (line === target) {
			row.className = "target";
			marked = row;
		}
		rows.push(row);
	}
	section.querySelector("thead").replaceChildren(head);
	section.querySelector("tbody").replaceChildren(...rows);
	if (marked)
		marked.scrollIntoView({ block: "center" });
}

/* Where a procedure is in its source, or in the graph if that is not known. */
function goTo(p) {
	const at = p.begin[sides.length - 1] || p.begin[0];
	if (!at || !sources.has(at.file)) {
		element("search").value = p.name;
		show("flame");
		return;
	}
	show("source");
	element("file").value = at.file;
	drawSource(at.line);
}
