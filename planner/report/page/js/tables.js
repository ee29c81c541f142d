// The tables of classes, counts, buffers and steps.
function classTable() {
  const all = data.classes.total;
  const now = (r) => total(data.buffers.filter((b) => b.class === r.class && b.scope === r.scope).map((b) => sizes.bytes[b.id]));
  const share = (r) => (all.bytes > 0n ? `${(Number(r.bytes) / Number(all.bytes) * 100).toFixed(1)} %` : "");
  const { box } = table("classes", "Classes", null, [
    column("class", (r) => r.class, { head: true, cell: (r) => el("span", { class: "chip" }, swatch(groupings.class.look(r.class)), r.class) }),
    column("scope", (r) => r.scope),
    column("buffers", (r) => r.buffers, { number: true }),
    figures("planned bytes", (r) => r.bytes),
    figures("in units", (r) => r.bytes, { text: (r) => human(r.bytes) }),
    ...(all.in_place > 0n ? [figures("of it in place", (r) => r.in_place)] : []),
    figures("share", (r) => r.bytes, { text: share }),
    figures("bytes now", now, { live: true }),
  ], data.classes.rows);
  const sum = [all.buffers, all.bytes, human(all.bytes), ...(all.in_place > 0n ? [all.in_place] : []), share(all)].map((text) => el("td", { class: "number" }, String(text)));
  box.querySelector("table").append(el("tfoot", {}, el("tr", {}, el("th", { scope: "row" }, "total"), el("td"), sum, el("td"))));
  const more = data.classes.unbounded > 0 ? ` ${plural(data.classes.unbounded, "buffer")} without a size count 0 bytes.` : "";
  box.append(el("p", {}, `Sums of sizes, not of the memory that they occupy. Dynamic buffers: ${data.classes.basis}.${more}`));
  return box;
}

const countTable = () => table("counts", "Counts", null, [
  column("count", (c) => c.name, { head: true }),
  column("in", (c) => c.at, { kind: "step" }),
  figures("max", (c) => c.max),
  figures("typical", (c) => c.typical),
  figures("typical now", (c) => sizes.counts[data.counts.indexOf(c)], { live: true }),
  column("buffers", (c) => c.buffers, { number: true }),
  figures("their bytes", (c) => c.bytes),
], data.counts).box;

const stepTable = () => table("steps", "Steps", "The curve of live bytes as a table.", [
  column("step", (s) => s.id, { head: true }),
  column("name", (s) => s.name, { kind: "step" }),
  column("on", (s) => (s.host ? "host" : data.streams ? data.streams[s.stream || 0] : "device")),
  ...data.pools.flatMap((p, i) => [
    figures(`${p.scope} live now`, (s) => live[i][s.id], { live: true }),
    figures(`${p.scope} planned`, (s) => p.live[s.id]),
  ]),
], data.steps).box;

function bufferTable() {
  const { box, lines } = table("buffers", "Buffers", "The map as a table, and the dynamic buffers, which the device places.", [
    column("buffer", (b) => b.name, { head: true, cell: (b) => bufferLink(b.id) }),
    column("class", (b) => b.class),
    column("scope", (b) => b.scope),
    column("kind", (b) => b.kind),
    column("algorithm", (b) => stepName(b.step), { kind: "step" }),
    column("first step", (b) => b.first, { number: true }),
    column("last step", (b) => b.end - 1, { number: true }),
    figures("offset", (b) => (b.isStatic ? b.offset : null), { text: (b) => (b.isStatic ? String(b.offset) : "") }),
    figures("bytes now", (b) => sizes.bytes[b.id], { live: true }),
    figures("max bytes", (b) => (b.proof === "none" ? null : b.max)),
    column("formula", formulaOf, { kind: "wide", cell: (b) => el("code", {}, formulaOf(b)) }),
  ], data.buffers);
  let drawn = null;
  painters.push(() => {
    const words = terms();
    const now = `${state.selected} ${words.join(" ")}`;
    if (drawn === now) return;
    drawn = now;
    for (const l of lines) {
      l.node.hidden = words.length > 0 && !found(l.row, words);
      l.node.classList.toggle("selected", l.row.id === state.selected);
    }
  });
  return box;
}
