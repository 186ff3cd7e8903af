/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tree as rectangles: a flame graph, or upside down. */
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
		lines.push((two ? side.data + ": " : "") + count(v) + " " +
			unit() + ", " + percent(v, total(s)));
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
	const pixels = frames.clientWidth || 1000;
	const deepest = value(zoom) ? drawBelow(box, zoom, 0, 100,
		path.length - 1, pixels, text) : path.length;
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
