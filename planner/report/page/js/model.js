// The data of the page. Every number of bytes is a BigInt.
const data = JSON.parse(document.getElementById("data").textContent);
const stepCount = data.steps.length;
const least = (a, b) => (a < b ? a : b);
const largest = (a, b) => (a > b ? a : b);
const total = (list) => list.reduce((sum, v) => sum + (v ?? 0n), 0n);
const whole = (n) => (n === undefined || n === null ? null : BigInt(n));
// integers turns the numbers of an object, which are strings in the data, into integers.
const integers = (object, ...keys) => keys.forEach((key) => { object[key] = whole(object[key]); });

data.steps.forEach((s, id) => { s.id = id; });
data.params.forEach((p) => integers(p, "min", "max"));
for (const p of data.pools) {
  integers(p, "round", "align", "reserved", "size", "height", "bound", "sum", "peak_bytes", "capacity");
  p.live = p.live.map(BigInt);
  p.at_peak.forEach((a) => integers(a, "bytes"));
}
data.buffers.forEach((b, id) => {
  b.id = id;
  b.pool = b.scope === "host" ? 1 : 0;
  integers(b, "elem", "align", "max", "offset", "typical");
  b.isStatic = b.class === "static";
  b.storage = b.in_place >= 0 ? data.buffers[b.in_place].storage : id;
  b.short = b.name.slice(b.name.lastIndexOf(".") + 1);
  b.readers = [...new Set(b.uses.filter((u) => u.why === "read").map((u) => u.step))];
  (b.lent || []).forEach((l) => integers(l, "low", "high"));
  const { shrink, shares, from } = b.explained;
  if (shrink) integers(shrink, "at_peak", "most");
  (shrink?.sooner || []).forEach((s) => integers(s, "most"));
  (shares || []).forEach((s) => {
    integers(s, "bytes", "sum");
    if (s.peak) integers(s.peak, "bytes", "without");
  });
  (from || []).forEach((a) => integers(a, "bytes"));
});
integers(data.arena, "align");
data.needs.forEach((n) => integers(n, "bytes"));
if (data.fit) integers(data.fit, "capacity", "value", "need", "next", "workers");
data.counts.forEach((c) => integers(c, "max", "typical", "bytes"));
data.classes.rows.concat(data.classes.total).forEach((r) => integers(r, "bytes", "in_place"));
for (const b of data.budgets || []) {
  integers(b, "limit", "used", "over");
  (b.culprits || []).forEach((c) => integers(c, "bytes"));
}
for (const f of data.baseline ? data.baseline.figures.concat(data.baseline.buffers) : []) integers(f, "old", "new", "change");
