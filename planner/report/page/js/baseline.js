// What changed since the baseline.
function baselineBox() {
  const was = data.baseline;
  const change = signed(exact);
  const sizesOf = [
    figures("change", (r) => r.change, { text: (r) => change(r.change) }),
    figures("before", (r) => r.old, { text: (r) => (r.old === null ? "" : exact(r.old)) }),
    figures("now", (r) => r.new, { text: (r) => (r.new === null ? "" : exact(r.new)) }),
  ];
  const pools = table("since-pools", "Memory", "of one worker", [column("memory", (f) => f.what, { head: true }), ...sizesOf], was.figures).box;
  const buffers = was.buffers.length === 0 ? null : table("since-buffers", "Buffers", `${plural(was.buffers.length, "buffer")} changed, the largest change first`, [
    column("buffer", (c) => c.name, { head: true, cell: (c) => (c.buffer >= 0 ? bufferLink(c.buffer) : named(c.name)) }),
    column("what", (c) => c.kind, { cell: (c) => el("span", { class: "chip" }, groupings.change.look(c.kind) ? swatch(groupings.change.look(c.kind)) : null, c.kind) }),
    ...sizesOf,
    column("in words", (c) => c.text, { kind: "wide" }),
    column("at", (c) => c.at || "", { kind: "step" }),
  ], was.buffers).box;
  return el("section", { class: "standing", id: "baseline" },
    el("h2", {}, "Since the baseline", el("small", {}, " ", named([was.source, `plan ${was.hash}`].filter(Boolean).join(", ")))),
    el("p", { class: "verdict" }, was.verdict),
    pools, buffers,
    el("details", {}, el("summary", {}, "The comparison as text"), el("pre", { tabindex: "0", class: "scroll" }, was.lines.join("\n"))));
}
