// The details of one buffer, beside the map.
const detail = el("aside", { class: "detail", tabindex: "-1", "aria-label": "Details of the buffer" });
const bufferLink = (id) => button(named(data.buffers[id].name), { class: "link" }, () => {
  select(id);
  map.scrollIntoView({ block: "nearest" });
});

function stepLine(s, why) {
  const text = [`${s} `, named(stepName(s))];
  const known = s >= 0 && s < stepCount;
  return el("li", {}, known ? button(text, { class: "link", title: "Zoom to this step" }, () => setZoom(s - 3, s + 4)) : text, why ? el("small", {}, " ", why) : null);
}

function help() {
  const keys = (...names) => names.map((k) => el("kbd", {}, k));
  return [
    el("h2", {}, "No buffer selected"),
    el("p", {}, "Click a buffer in the map, or search for one. Drag across a plot to zoom into steps, or over a box of the map; a double click shows all."),
    el("ul", { class: "keys" },
      el("li", {}, keys("/"), " search"),
      el("li", {}, keys("←", "→"), " next buffer in time"),
      el("li", {}, keys("↑", "↓"), " next buffer in memory"),
      el("li", {}, keys("Enter"), " select, ", keys("Esc"), " clear"),
      el("li", {}, keys("+", "−", "0"), " zoom, ", keys("z"), " to the buffer")),
  ];
}

function about(b) {
  const rows = [];
  const row = (title, ...value) => rows.push(el("dt", {}, title), el("dd", {}, ...value));
  row("size now", exact(sizes.bytes[b.id]));
  row("planned", b.isStatic || b.proof !== "none" ? exact(b.max) : "no bound");
  if (b.typical !== null) row("typical", exact(b.typical));
  row("formula", el("code", {}, formulaOf(b)));
  row("type", `${b.type}, aligned to ${b.align}`);
  row("class", `${b.class}, ${b.scope}, ${b.kind}`);
  row("proof", b.proof);
  row("bytes", place(b));
  row("alive", `${stepsOf(b)} of ${stepCount}`);
  for (const [title, text] of standing(b)) row(title, text);
  if (b.driven) row("counts", b.driven.join(", "));
  if (b.in_place >= 0) row("storage of", bufferLink(b.in_place));
  for (const l of (b.lent || []).filter((l) => l.low > 0n || l.high < b.max)) row(l.why, `steps ${l.first} to ${l.end - 1}: ${l.low < l.high ? `[${l.low}, ${l.high}) stays` : "all is lent"}`);
  return el("dl", {}, rows);
}

function uses(b) {
  const stretch = b.uses.filter((u) => reasons[u.why]);
  const out = [
    el("h3", { class: "producer" }, "Written by"),
    el("ul", {}, b.step < 0 ? el("li", {}, "from outside, before step 0") : stepLine(b.step)),
    el("h3", { class: "reader" }, `Read by ${plural(b.readers.length, "step")}`),
    el("ul", {}, b.readers.map((s) => stepLine(s))),
  ];
  if (stretch.length === 0) return out;
  return [...out, el("h3", {}, "Also kept alive"), el("ul", {}, stretch.map((u) => stepLine(u.step, reasons[u.why] + (u.of ? `: ${u.of}` : ""))))];
}

let shown = "";
painters.push(() => {
  const id = state.selected >= 0 ? state.selected : state.active;
  const now = `${id} ${state.selected} ${version}`;
  if (shown === now) return;
  shown = now;
  const focused = detail.contains(document.activeElement);
  const b = data.buffers[id];
  const actions = el("p", { class: "actions" }, button("Zoom to it", {}, () => zoomTo(b)), button("Clear selection", {}, () => select(-1)));
  detail.replaceChildren(...(b ? [el("h2", { id: "detail-name" }, named(b.name)), about(b), ...uses(b), ...shrinking(b), state.selected >= 0 ? actions : ""] : help()));
  if (focused) detail.focus(); // the control that had it is gone
});
