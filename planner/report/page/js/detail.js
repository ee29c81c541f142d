// The details of one buffer: beside the map in full, at the pointer in short.
const detail = el("aside", { class: "detail", "aria-label": "Details of the buffer" });
const tip = el("div", { class: "tip", role: "tooltip", id: "tip", hidden: true });

const chip = (angle, text) => {
  const dot = el("span", { class: "dot", "aria-hidden": "true" });
  paintHue(dot, angle);
  return el("span", { class: "chip" }, dot, text);
};

function place(b) {
  if (!b.isStatic) return `placed by the device, slot ${b.slot}`;
  return `[${b.offset}, ${b.offset + b.max})`;
}

function stepLine(s, why) {
  const text = `${s} ${stepName(s)}`;
  if (s < 0 || s >= stepCount) return el("li", {}, text, why ? el("small", {}, " ", why) : null);
  const zoom = el("button", { type: "button", class: "link", title: "Zoom to this step", onclick: () => setZoom(s - 3, s + 4) }, text);
  return el("li", {}, zoom, why ? el("small", {}, " ", why) : null);
}

const bufferLink = (id) => el("button", { type: "button", class: "link", onclick: () => select(id) }, data.buffers[id].name);

const reasons = {
  view: "a view of it is used", barrier: "kept by a barrier", count: "a count in it is read", output: "read back", keep: "kept between batches",
  in_place: "its storage is taken over", no_reuse: "no reuse in its scope", in_flight: "the host does not wait",
};

function paintDetail() {
  const id = state.selected >= 0 ? state.selected : state.active;
  detail.replaceChildren();
  if (id < 0) {
    detail.append(
      el("h2", {}, "No buffer selected"),
      el("p", {}, "Click a buffer in the map, or search for one. Drag across a plot to zoom into steps, or over a box of the map; a double click shows all."),
      el("ul", { class: "keys" },
        el("li", {}, el("kbd", {}, "/"), " search"),
        el("li", {}, el("kbd", {}, "←"), el("kbd", {}, "→"), " next buffer in time"),
        el("li", {}, el("kbd", {}, "↑"), el("kbd", {}, "↓"), " next buffer in memory"),
        el("li", {}, el("kbd", {}, "Enter"), " select, ", el("kbd", {}, "Esc"), " clear"),
        el("li", {}, el("kbd", {}, "+"), el("kbd", {}, "−"), el("kbd", {}, "0"), " zoom, ", el("kbd", {}, "z"), " to the buffer")));
    return;
  }
  const b = data.buffers[id];
  const rows = [];
  const row = (name, ...value) => rows.push(el("dt", {}, name), el("dd", {}, ...value));
  row("size now", exact(sizes.bytes[id]));
  row("planned", b.isStatic || b.proof !== "none" ? exact(b.max) : "no bound");
  if (b.typical !== null) row("typical", exact(b.typical));
  row("formula", el("code", {}, formulaOf(b)));
  row("type", `${b.type}, aligned to ${b.align}`);
  row("class", `${b.class}, ${b.scope}, ${b.kind}`);
  row("proof", b.proof);
  row("bytes", place(b));
  row("alive", `${stepsOf(b)} of ${stepCount}`);
  if (b.driven) row("counts", b.driven.join(", "));
  if (b.in_place >= 0) row("storage of", bufferLink(b.in_place));
  for (const l of b.lent || []) row(l.why, `steps ${l.first} to ${l.end - 1}: ${l.low < l.high ? `[${l.low}, ${l.high}) stays` : "all is lent"}`);
  const stretch = b.uses.filter((u) => reasons[u.why]);
  detail.append(
    el("h2", { id: "detail-name" }, b.name),
    el("dl", {}, rows),
    el("h3", { class: "producer" }, "Written by"),
    el("ul", {}, b.step < 0 ? el("li", {}, "from outside, before step 0") : stepLine(b.step)),
    el("h3", { class: "reader" }, `Read by ${plural(b.readers.length, "step")}`),
    el("ul", {}, b.readers.map((s) => stepLine(s))));
  if (stretch.length > 0) {
    detail.append(el("h3", {}, "Also kept alive"), el("ul", {}, stretch.map((u) => stepLine(u.step, reasons[u.why] + (u.of ? `: ${u.of}` : "")))));
  }
  if (state.selected >= 0) {
    detail.append(el("p", { class: "actions" }, el("button", { type: "button", onclick: () => zoomTo(b) }, "Zoom to it"), el("button", { type: "button", onclick: () => select(-1) }, "Clear selection")));
  }
}

function showTip(id, x, y) {
  if (id < 0) {
    tip.hidden = true;
    return;
  }
  const b = data.buffers[id];
  tip.replaceChildren(
    el("strong", {}, b.name),
    el("span", {}, exact(sizes.bytes[id])),
    el("span", {}, `${b.class}, ${b.kind}, ${stepsOf(b)}`),
    el("span", {}, place(b)),
    el("code", {}, formulaOf(b)));
  tip.hidden = false;
  const box = tip.getBoundingClientRect();
  tip.style.left = `${Math.max(4, Math.min(x + 14, innerWidth - box.width - 8))}px`;
  tip.style.top = `${y + 18 + box.height > innerHeight ? Math.max(4, y - box.height - 12) : y + 18}px`;
}
painters.push(paintDetail);
