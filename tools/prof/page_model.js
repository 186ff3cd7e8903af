/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the page knows: procedures, and the tree of those that called each
 * other, of a profile or of two side by side. */
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
		data.events.forEach((_, e) => {
			n.self[s][e] += side.self[e][i];
		});
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
			of.set(p, sum = { procedure: p,
				self: sides.map(() => 0),
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
