// Tables that sort. A column gives the value of a row, by which it sorts, and its text; a
// live column is asked again when a value of a parameter changes.
function table(id, title, note, columns, rows) {
  const body = el("tbody");
  const lines = rows.map((row) => {
    const cells = columns.map((c) => {
      const cell = c.head ? el("th", { scope: "row" }) : el("td", { class: c.number ? "number" : c.kind });
      cell.append(c.cell ? c.cell(row) : c.text(row));
      return cell;
    });
    const line = { row, cells, node: el("tr", {}, cells) };
    body.append(line.node);
    return line;
  });
  let by = -1;
  let down = false;
  const compare = (a, b) => (a === null ? (b === null ? 0 : -1) : b === null ? 1 : a < b ? -1 : a > b ? 1 : 0);
  const order = () => {
    if (by < 0) return;
    const value = columns[by].value;
    lines.sort((a, b) => (down ? -1 : 1) * compare(value(a.row), value(b.row)) || a.row.id - b.row.id);
    body.append(...lines.map((l) => l.node));
  };
  const heads = columns.map((c, i) => {
    const button = el("button", { type: "button", onclick: () => {
      down = by === i ? !down : Boolean(c.number);
      by = i;
      heads.forEach((h, k) => h.setAttribute("aria-sort", k !== i ? "none" : down ? "descending" : "ascending"));
      order();
    } }, c.title);
    return el("th", { scope: "col", "aria-sort": "none", class: c.number ? "number" : null }, button);
  });
  rows.forEach((row, i) => { if (row.id === undefined) row.id = i; });
  let drawn = -1;
  painters.push(() => {
    if (drawn === version || !columns.some((c) => c.live)) return;
    drawn = version;
    for (const line of lines) {
      columns.forEach((c, i) => {
        if (c.live && c.text(line.row) !== line.cells[i].textContent) line.cells[i].textContent = c.text(line.row);
      });
    }
    if (by >= 0 && columns[by].live) order();
  });
  const node = el("table", { id }, el("caption", {}, title, note ? el("small", {}, " ", note) : null), el("thead", {}, el("tr", {}, heads)), body);
  const box = el("section", { class: "table" },
    el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": title }, node));
  return { box, lines };
}

const bytesText = (v) => (v === null ? "unknown" : String(v));
const total = (list) => list.reduce((sum, v) => sum + (v ?? 0n), 0n);

function classTable() {
  const rows = data.classes.rows.map((r) => ({ ...r, bytes: BigInt(r.bytes) }));
  const all = BigInt(data.classes.total.bytes);
  const now = (r) => total(data.buffers.filter((b) => b.class === r.class && b.scope === r.scope).map((b) => sizes.bytes[b.id]));
  const { box } = table("classes", "Classes", null, [
    { title: "class", head: true, value: (r) => r.class, cell: (r) => chip(r.class === "static" ? 240 : 50, r.class), text: (r) => r.class },
    { title: "scope", value: (r) => r.scope, text: (r) => r.scope },
    { title: "buffers", number: true, value: (r) => r.buffers, text: (r) => String(r.buffers) },
    { title: "planned bytes", number: true, value: (r) => r.bytes, text: (r) => bytesText(r.bytes) },
    { title: "", number: true, value: (r) => r.bytes, text: (r) => human(r.bytes) },
    { title: "share", number: true, value: (r) => r.bytes, text: (r) => (all > 0n ? `${(Number(r.bytes) / Number(all) * 100).toFixed(1)} %` : "") },
    { title: "bytes now", number: true, live: true, value: now, text: (r) => bytesText(now(r)) },
  ], rows);
  box.querySelector("table").append(el("tfoot", {}, el("tr", {},
    el("th", { scope: "row" }, "total"), el("td"), el("td", { class: "number" }, String(data.classes.total.buffers)),
    el("td", { class: "number" }, String(all)), el("td", { class: "number" }, human(all)), el("td", { class: "number" }, all > 0n ? "100.0 %" : ""), el("td"))));
  const more = data.classes.unbounded > 0 ? ` ${plural(data.classes.unbounded, "buffer")} without a size count 0 bytes.` : "";
  box.append(el("p", { class: "note" }, `Sums of sizes, not of the memory that they occupy. Dynamic buffers: ${data.classes.basis}.${more}`));
  return box;
}

function poolTable() {
  const peak = (p) => live[data.pools.indexOf(p)].reduce(largest, 0n);
  const number = (title, key) => ({ title, number: true, value: (p) => p[key], text: (p) => bytesText(p[key]) });
  return table("pools", "Static pools, one worker", null, [
    { title: "pool", head: true, value: (p) => p.scope, text: (p) => p.scope },
    { title: "buffers", number: true, value: (p) => p.buffers, text: (p) => String(p.buffers) },
    number("size", "size"), number("reserved", "reserved"), number("height", "height"), number("lower bound", "bound"),
    { title: "gap", number: true, value: (p) => p.gap, text: (p) => `${p.gap.toFixed(2)} %${p.optimal ? ", optimal" : ""}` },
    number("without reuse", "sum"), { title: "capacity", number: true, value: (p) => p.capacity, text: (p) => (p.capacity === null ? "not given" : String(p.capacity)) },
    { title: "peak now", number: true, live: true, value: peak, text: (p) => bytesText(peak(p)) },
    { title: "found by", value: (p) => p.method, text: (p) => p.method },
  ], data.pools).box;
}

function countTable() {
  const now = (c) => sizes.counts[c.id];
  return table("counts", "Counts", null, [
    { title: "count", head: true, value: (c) => c.name, text: (c) => c.name },
    { title: "in", kind: "step", value: (c) => c.at, text: (c) => c.at },
    { title: "max", number: true, value: (c) => c.max, text: (c) => bytesText(c.max) },
    { title: "typical", number: true, value: (c) => c.typical, text: (c) => bytesText(c.typical) },
    { title: "typical now", number: true, live: true, value: now, text: (c) => bytesText(now(c)) },
    { title: "buffers", number: true, value: (c) => c.buffers, text: (c) => String(c.buffers) },
    { title: "their bytes", number: true, value: (c) => c.bytes, text: (c) => bytesText(c.bytes) },
  ], data.counts).box;
}

function stepTable() {
  const columns = [
    { title: "step", head: true, value: (s) => s.id, text: (s) => String(s.id) },
    { title: "name", kind: "step", value: (s) => s.name, text: (s) => s.name },
    { title: "on", value: (s) => (s.host ? "host" : "device"), text: (s) => (s.host ? "host" : data.streams ? data.streams[s.stream || 0] : "device") },
  ];
  data.pools.forEach((p, i) => columns.push(
    { title: `${p.scope} live now`, number: true, live: true, value: (s) => live[i][s.id], text: (s) => String(live[i][s.id]) },
    { title: `${p.scope} planned`, number: true, value: (s) => p.live[s.id], text: (s) => String(p.live[s.id]) }));
  data.steps.forEach((s, i) => { s.id = i; });
  return table("steps", "Steps", "The curve of live bytes as a table.", columns, data.steps).box;
}

function bufferTable() {
  const { box, lines } = table("buffers", "Buffers", "The map as a table, and the dynamic buffers, which the device places.", [
    { title: "buffer", head: true, value: (b) => b.name, cell: (b) => bufferLink(b.id), text: (b) => b.name },
    { title: "class", value: (b) => b.class, text: (b) => b.class },
    { title: "scope", value: (b) => b.scope, text: (b) => b.scope },
    { title: "kind", value: (b) => b.kind, text: (b) => b.kind },
    { title: "algorithm", kind: "step", value: (b) => stepName(b.step), text: (b) => stepName(b.step) },
    { title: "first step", number: true, value: (b) => b.first, text: (b) => String(b.first) },
    { title: "last step", number: true, value: (b) => b.end, text: (b) => String(b.end - 1) },
    { title: "offset", number: true, value: (b) => (b.isStatic ? b.offset : null), text: (b) => (b.isStatic ? String(b.offset) : "") },
    { title: "bytes now", number: true, live: true, value: (b) => sizes.bytes[b.id], text: (b) => bytesText(sizes.bytes[b.id]) },
    { title: "max bytes", number: true, value: (b) => (b.proof === "none" ? null : b.max), text: (b) => (b.proof === "none" ? "unknown" : String(b.max)) },
    { title: "formula", kind: "wide", value: formulaOf, cell: (b) => el("code", {}, formulaOf(b)), text: formulaOf },
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
