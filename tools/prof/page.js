/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The page of a profile, or of two side by side: a tree of procedures, drawn as
 * rectangles, a table of them, and the lines of their sources.
 */
"use strict";
(() => {
const data = JSON.parse(document.getElementById("data").textContent);
const sides = data.sides, two = sides.length === 2;
const element = id => document.getElementById(id);
const ROW = 20, NARROW = 1, ROWS = 500;

let event = data.event, width = sides.length - 1, tab = "flame";
let zoom, order = { column: null, down: true };

/* ---- Numbers ---- */

const count = n => n.toLocaleString("en-US");
const percent = (part, whole) =>
	(whole ? 100 * part / whole : 0).toFixed(1) + "%";
const signed = n => (n < 0 ? "\u2212" : "+") + count(Math.abs(n));
const total = side => sides[side].totals[event];
const unit = () => data.events[event].label;

/* ---- Procedures and the tree ---- */

/* Each procedure once, whichever sides have it; of[side][number] is it. */
const procedures = [], of = [];
{
	const known = new Map();
	sides.forEach((side, s) => {
		of[s] = side.functions.map((f, i) => {
			const key = two ? JSON.stringify([f.name, f.object,
				f.build]) : i;
			if (!known.has(key)) {
				known.set(key, procedures.length);
				procedures.push({ name: f.name,
					object: f.object, begin: [] });
			}
			const p = procedures[known.get(key)];
			p.begin[s] = { file: f.file, line: f.line };
			return p;
		});
	});
}
const nowhere = { name: data.nowhere, object: "", begin: [] };
const everything = { name: "all", object: "", begin: [] };

function node(procedure, parent) {
	return { procedure, parent, children: new Map(), sorted: null,
		self: sides.map(() => data.events.map(() => 0)), all: null };
}

function child(parent, procedure) {
	let n = parent.children.get(procedure);
	if (!n) {
		n = node(procedure, parent);
		parent.children.set(procedure, n);
	}
	return n;
}

const root = node(everything, null);
sides.forEach((side, s) => {
	const made = [root];
	side.parent.forEach((parent, i) => {
		const n = child(made[parent], of[s][side.function[i]]);
		made.push(n);
		data.events.forEach((_, e) => { n.self[s][e] += side.self[e][i]; });
	});
	side.rest.forEach((rest, e) => {
		if (rest)
			child(root, nowhere).self[s][e] += rest;
	});
});

/* Nodes behind their parents. */
function walk() {
	const list = [root];
	for (let i = 0; i < list.length; i++)
		list.push(...list[i].children.values());
	return list;
}

const nodes = walk();
for (const n of nodes)
	n.all = n.self.map(events => events.slice());
for (let i = nodes.length - 1; i > 0; i--)
	nodes[i].all.forEach((events, s) => events.forEach((v, e) => {
		nodes[i].parent.all[s][e] += v;
	}));
zoom = root;

/* What procedures have alone and with what they called; what calls itself
 * counts once. */
function sums() {
	const of = new Map();
	const open = new Map();
	const enter = [[root, false]];
	while (enter.length) {
		const [n, done] = enter.pop();
		const p = n.procedure;
		if (done) {
			open.set(p, open.get(p) - 1);
			continue;
		}
		let sum = of.get(p);
		if (!sum)
			of.set(p, sum = { procedure: p, self: sides.map(() => 0),
				all: sides.map(() => 0) });
		sides.forEach((_, s) => {
			sum.self[s] += n.self[s][event];
			if (!open.get(p))
				sum.all[s] += n.all[s][event];
		});
		open.set(p, (open.get(p) || 0) + 1);
		enter.push([n, true]);
		for (const c of n.children.values())
			enter.push([c, false]);
	}
	of.delete(everything);
	return [...of.values()].filter(x => x.all.some(v => v > 0));
}

/* ---- The graph ---- */

const value = n => n.all[width][event];
const wanted = () => element("search").value.trim().toLowerCase();
const hits = (p, text) => text && p.name.toLowerCase().includes(text);

function colour(n) {
	if (two) {
		const a = n.all[0][event] / (total(0) || 1);
		const b = n.all[1][event] / (total(1) || 1);
		const change = total(0) && total(1) ? b - a : 0;
		const most = Math.max(a, b) || 1;
		const far = Math.min(1, Math.abs(change) / most * 1.5);
		const rest = Math.round(228 - 140 * far);
		const full = Math.round(228 + 27 * far);
		return change > 0 ? `rgb(${full},${rest},${rest})` :
			`rgb(${rest},${rest},${full})`;
	}
	let h = 0;
	for (const c of n.procedure.name)
		h = (h * 31 + c.codePointAt(0)) % 9973;
	return `hsl(${20 + h % 36},${70 + h % 23}%,${62 + h % 15}%)`;
}

function describe(n) {
	const lines = [n.procedure.name];
	if (n.procedure.object)
		lines[0] += " (" + n.procedure.object + ")";
	sides.forEach((side, s) => {
		const v = n.all[s][event];
		lines.push((two ? side.data + ": " : "") + count(v) + " " + unit() +
			", " + percent(v, total(s)));
	});
	if (two)
		lines.push(signed(n.all[1][event] - n.all[0][event]));
	return lines.join("\n");
}

function draw(box, n, left, size, depth, above) {
	const d = document.createElement("div");
	const down = tab === "icicle";
	d.className = "frame" + (above ? " above" : "");
	d.style.left = left + "%";
	d.style.width = size + "%";
	d.style[down ? "top" : "bottom"] = depth * ROW + "px";
	d.dataset.depth = depth;
	box.push(d);
	return d;
}

function drawNode(box, n, left, size, depth, above, text) {
	const d = draw(box, n, left, size, depth, above);
	d.textContent = n.procedure.name;
	d.title = describe(n);
	d.style.background = colour(n);
	d.tabIndex = 0;
	d.dataset.value = value(n);
	d.dataset.name = n.procedure.name;
	if (hits(n.procedure, text))
		d.classList.add("hit");
	d.addEventListener("click", () => zoomTo(n));
	d.addEventListener("keydown", e => {
		if (e.key === "Enter")
			zoomTo(n);
	});
	const tell = () => { element("details").textContent = d.title; };
	d.addEventListener("mouseenter", tell);
	d.addEventListener("focus", tell);
	return d;
}

/* Children that would be too narrow to be seen are one rectangle, so that all
 * together are as wide as what their parent has of them. */
function drawBelow(box, n, left, size, depth, pixels, text) {
	const list = [...n.children.values()].filter(value)
		.sort((x, y) => value(y) - value(x));
	const whole = value(n);
	let deepest = depth, small = 0;
	for (const c of list) {
		const part = size * value(c) / whole;
		if (part / 100 * pixels < NARROW) {
			small += value(c);
			continue;
		}
		const d = drawNode(box, c, left, part, depth + 1, false, text);
		if (part / 100 * pixels < 24) {
			d.textContent = "";
			d.classList.add("narrow");
		}
		deepest = Math.max(deepest, drawBelow(box, c, left, part,
			depth + 1, pixels, text));
		left += part;
	}
	if (small) {
		const d = draw(box, n, left, size * small / whole, depth + 1);
		d.classList.add("small", "narrow");
		d.dataset.value = small;
		d.title = "others\n" + count(small) + " " + unit();
		deepest = Math.max(deepest, depth + 1);
	}
	return deepest;
}

function drawGraph() {
	const frames = element("frames"), box = [], text = wanted();
	const path = [];
	for (let n = zoom; n; n = n.parent)
		path.unshift(n);
	path.forEach((n, depth) =>
		drawNode(box, n, 0, 100, depth, n !== zoom, text));
	const deepest = value(zoom) ? drawBelow(box, zoom, 0, 100,
		path.length - 1, frames.clientWidth || 1000, text) : path.length;
	frames.replaceChildren(...box);
	frames.style.height = (deepest + 1) * ROW + "px";
	element("reset").disabled = zoom === root;
	element("details").textContent = describe(zoom);
}

function zoomTo(n) {
	zoom = n;
	drawGraph();
}

/* What is found, but not below something that is found. */
function tellFound() {
	const text = wanted();
	let sum = 0;
	const look = [root];
	while (text && look.length) {
		const n = look.pop();
		if (hits(n.procedure, text))
			sum += value(n);
		else
			look.push(...n.children.values());
	}
	element("found").textContent = text ?
		"found: " + percent(sum, total(width)) : "";
}

/* ---- Tables ---- */

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

/* ---- The page ---- */

function redraw() {
	tellFound();
	if (tab === "procedures") {
		drawProcedures();
	} else if (tab === "source") {
		listFiles();
		drawSource();
	} else {
		drawGraph();
	}
}

function show(name) {
	tab = name;
	for (const b of element("tabs").children)
		b.setAttribute("aria-selected", b.dataset.tab === name);
	element("graph").hidden = name !== "flame" && name !== "icicle";
	element("procedures").hidden = name !== "procedures";
	element("source").hidden = name !== "source";
	redraw();
}

function fill(select, names, chosen) {
	select.replaceChildren(...names.map((n, i) => new Option(n, i)));
	select.value = chosen;
}

document.title = "prof: " + sides.map(s => s.data).join(", ");
element("title").textContent = sides.map(s => s.command).join("  \u2192  ");
element("about").textContent = sides.map((s, i) => (two ? "AB"[i] + ": " : "") +
	s.data + ", on " + s.cpu).join("; ") +
	(two ? ". Red is more in B than in A, blue is less, as parts of all." : "");
fill(element("event"), data.events.map(e => e.name + ": " + e.label), event);
fill(element("width"), sides.map((s, i) => "AB"[i] + ": " + s.data), width);
element("width-label").hidden = !two;
element("event").addEventListener("change", e => {
	event = +e.target.value;
	redraw();
});
element("width").addEventListener("change", e => {
	width = +e.target.value;
	redraw();
});
element("controls").addEventListener("submit", e => e.preventDefault());
element("search").addEventListener("input", redraw);
element("file").addEventListener("change", () => drawSource());
element("reset").addEventListener("click", () => zoomTo(root));
for (const b of element("tabs").children)
	b.addEventListener("click", () => show(b.dataset.tab));
addEventListener("keydown", e => {
	if (e.key === "Escape")
		zoomTo(root);
});
addEventListener("resize", redraw);
show("flame");
})();
