/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The page itself: what is chosen and shown.  All scripts are in one function;
 * this one is the last. */
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
	(two ? ". Red is more in B than in A, blue is less, as parts of all." :
		"");
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
