// The table of the pools: a column for each.
function poolTable() {
  const pools = data.pools.filter((p) => p.buffers > 0 || p.size > 0n);
  const peak = (p) => live[data.pools.indexOf(p)].reduce(largest, 0n);
  const rows = [
    ["buffers", (p) => String(p.buffers)],
    ["size", (p) => exact(p.size)],
    ["reserved", (p) => exact(p.reserved)],
    ["height", (p) => exact(p.height)],
    ["lower bound", (p) => exact(p.bound) + boundBy(p)],
    ["gap", (p) => (p.optimal ? "0 %, proven optimal" : certificate(p))],
    ["found by", (p) => p.method],
    ["without reuse", (p) => exact(p.sum)],
    ["capacity", (p) => (p.capacity === null ? "not given" : exact(p.capacity) + (p === data.pools[0] ? "" : `, ${fits(p.size, p.capacity)}`))],
    ...data.needs.map((n) => [el("span", {}, `needs, ${n.basis}`, el("small", {}, ` ${n.text}`)), (p) => (p !== data.pools[0] ? "" : exact(n.bytes) + (capacity === null ? "" : `, ${fitsText(n)}`))]),
    ["peak", (p) => el("div", {}, `${peakOf(p)}: ${exact(p.peak_bytes)} with the padding`, aliveList(p.at_peak, p.at_peak.length))],
    ["most at one step", (p) => `step ${p.peak} ${shortened(stepName(p.peak), 80)}: ${exact(p.live.reduce(largest, 0n))}`],
    ["most at one step now", (p) => exact(peak(p))],
  ];
  const last = [];
  painters.push(() => last.forEach((cell, i) => { cell.textContent = exact(peak(pools[i])); }));
  const body = rows.map(([title, text]) => el("tr", {}, el("th", { scope: "row" }, title), pools.map((p) => el("td", {}, text(p)))));
  last.push(...[...body[body.length - 1].cells].slice(1));
  return scrolling("Static pools", el("table", { id: "pools" }, caption("Static pools", "of one worker"),
    el("thead", {}, el("tr", {}, el("td"), pools.map((p) => el("th", { scope: "col" }, p.scope)))), el("tbody", {}, body)));
}

// aliveList names the largest of some buffers with their bytes, and sums up the others.
function aliveList(list, count) {
  const most = list.slice(0, 5);
  const rest = list.slice(5);
  const line = (who, bytes, note) => el("li", {}, who, el("span", { class: "bytes" }, exact(bytes)), note ? el("small", {}, note) : null);
  const items = most.map((a) => line(a.buffer >= 0 ? bufferLink(a.buffer) : named(a.name), a.bytes,
    a.percent === undefined ? null : `${a.percent.toFixed(1)} %${a.basis ? `, ${a.basis}` : ""}, line ${a.line}`));
  if (rest.length > 0) items.push(line(`and ${rest.length} more`, total(rest.map((a) => a.bytes))));
  else if (count > most.length) items.push(el("li", {}, `and ${count - most.length} more`));
  return el("ul", { class: "alive" }, items);
}
