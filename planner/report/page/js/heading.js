// The head of the page: which plan it is, and its largest figures.
function heading() {
  const constants = data.params.filter((p) => p.min === p.max);
  return el("header", {},
    el("div", { class: "title" },
      el("h1", {}, data.name),
      el("p", {}, [data.source, `plan ${data.hash}`, plural(stepCount, "step"), plural(data.buffers.length, "buffer"), plural(data.workers, "worker")].filter(Boolean).join(" · "))),
    constants.length > 0 ? el("details", {}, el("summary", {}, plural(constants.length, "constant")),
      el("p", { class: "props" }, constants.map((p) => el("span", {}, named(p.name), ` = ${p.max}`)))) : null,
    el("dl", { class: "cards" }, cards()));
}

const fitted = (f) => `${shortened(f.param, 40)}${f.limited ? ", all that is declared" : f.fits ? `, of ${data.params.find((p) => p.name === f.param).max}` : ` = ${f.value} is too much`}`;

function cards() {
  const card = (title, value, note) => el("div", { class: "card" }, el("dt", {}, title), el("dd", {}, value, el("small", {}, note)));
  const out = [];
  if (data.fit) out.push(card(`fits ${human(data.fit.capacity)}, ${ask}`, data.fit.fits ? String(data.fit.value) : "nothing", named(fitted(data.fit))));
  out.push(...data.pools.filter((p) => p.buffers > 0)
    .map((p) => card(`static ${p.scope} pool`, human(p.size), `${p.size} B, ${certificate(p)}${p.order ? boundBy(p) : ""}`)));
  const device = data.pools[0];
  if (device && device.sum > device.height) out.push(card("saved by reuse", human(device.sum - device.height), `${human(device.sum)} without it`));
  if (data.arena.slots > 0) {
    const others = data.needs.filter((n) => n.basis !== ask).map((n) => `${n.basis} ${human(n.bytes)}`);
    out.push(card(`device with the arena, ${ask}`, human(byBasis[ask].bytes), `${others.join(", ")}; mode ${data.arena.reuse ? "reuse" : "bump"}`));
  }
  out.push(card("host waits", String(data.waits.length + 1), data.waits.length === 0 ? "at the end of the batch only" : "with the end of the batch"));
  return out;
}
