// What one worker needs of the device, and how large a batch fits.
const byBasis = Object.fromEntries(data.needs.map((n) => [n.basis, n]));
const capacity = data.pools[0].capacity;
// ask is the basis of the question how large a batch fits; without dynamic buffers all are one.
const ask = data.arena.slots === 0 ? "static" : data.fit ? data.fit.basis : "typical";
const atLargest = () => data.params.every((p, i) => state.values[i] === p.max);

// behind is a static region of some bytes and the arena behind it, null if that is unknown.
const behind = (region, arena) => (arena === null ? null : calc.align_up(region, data.arena.align) + arena);
// arenaOf is what a basis counts of the arena at the values of now, null if that is unknown.
function arenaOf(basis) {
  if (basis === "worst" || !arenaKnown(sizes)) return null;
  return basis === "peak" ? dynamic.reduce(largest, 0n) : total(inArena.map((b) => arenaBytes(b, sizes)));
}
// needNow is the need of this plan: its static region is as large at all values.
function needNow(n) {
  if (n.basis === "static" || atLargest()) return n.bytes;
  return behind(data.pools[0].size, arenaOf(n.basis));
}
// needLeast is what a plan up to the values of now needs at least: its static region has
// room for what is live at once. It is null where a parameter has one value: then it is a
// constant, and what is reserved is different.
function needLeast(n) {
  if (atLargest()) return n.bytes;
  if (data.params.some((p, i) => p.min < p.max && state.values[i] === p.min)) return null;
  const pool = data.pools[0];
  const region = calc.align_up(pool.reserved + live[0].reduce(largest, 0n), pool.align);
  return n.basis === "static" ? region : behind(region, arenaOf(n.basis));
}

const fits = (bytes, most) => (bytes <= most ? `fits, ${human(most - bytes)} left` : `does not fit, short of ${exact(bytes - most)}`);
const fitsText = (n) => (n.bytes === null ? n.unknown : fits(n.bytes, capacity));

// fitText is the answer of seqplan fit.
function fitText(f) {
  const param = shortened(f.param, 80);
  if (!f.fits) return `not even ${param} = ${f.value} fits: it needs ${exact(f.need)}, ${exact(f.need - f.capacity)} too much`;
  if (f.limited) return `${param} = ${f.value} fits with ${exact(f.need)}; limited by the declared range`;
  return `largest ${param} that fits: ${f.value} with ${exact(f.need)}; ${f.value + 1n} would need ${exact(f.next)}`;
}

// needBox is the answer and the table of the bases, in which the columns of now move with
// the sliders.
function needBox() {
  const ranged = data.params.some((p) => p.min < p.max);
  const moving = ranged ? [["this plan now", needNow], ["a plan for now, at least", needLeast]] : [];
  const heads = ["", "planned", ...(capacity === null ? [] : ["of the capacity"]), ...moving.map(([title]) => title)];
  const cells = [];
  const rows = data.needs.map((n) => el("tr", {}, el("th", { scope: "row" }, el("strong", {}, n.basis), el("small", {}, ` ${n.text}`)),
    el("td", {}, exact(n.bytes)), capacity === null ? null : el("td", { class: n.bytes === null ? "" : n.bytes <= capacity ? "holds" : "exceeded" }, fitsText(n)),
    moving.map(([, need]) => {
      const cell = el("td", { class: "now" });
      cells.push([cell, () => (n.bytes === null ? "unknown" : need(n) === null ? "the planner knows" : exact(need(n)))]);
      return cell;
    })));
  let drawn = -1;
  painters.push(() => {
    if (drawn === version) return;
    drawn = version;
    cells.forEach(([cell, text]) => { cell.textContent = text(); });
  });
  const box = scrolling("Needs of one worker", el("table", { id: "needs" }, caption("What one worker needs of the device", "at the largest values of the parameters"),
    el("thead", {}, el("tr", {}, heads.map((title) => (title ? el("th", { scope: "col" }, title) : el("td"))))), el("tbody", {}, rows)));
  if (ranged) box.append(el("p", {}, nowNote));
  return box;
}

const nowNote = "Now is at the values of the sliders. This plan holds its static region at all of them. A plan made for smaller values has one of its own: " +
  "at least what is live at once, which the formulas give. How large it is, and the worst case, only the planner knows: seqplan fit, or a report with -param.";

// capacityBox stands near the top, if there is a capacity.
function capacityBox() {
  const f = data.fit;
  const answer = f ? [
    el("p", { class: "verdict" }, `${f.limited ? "✓" : "✗"} `, named(fitText(f))),
    el("p", {}, `Counted: ${byBasis[ask].text}. Workers that fit at the largest declared `, named(shortened(f.param, 80)), `: ${f.workers}.`),
  ] : el("p", { class: "verdict" }, "? how large a batch fits is unknown: ", named(data.fit_unknown || "it was not asked"));
  return el("section", { class: `standing ${f ? (f.limited ? "holds" : "exceeded") : "unknown"}`, id: "capacity" },
    el("h2", {}, `Capacity ${exact(capacity)}`, el("small", {}, " of the device, for one worker")), answer, needBox());
}
