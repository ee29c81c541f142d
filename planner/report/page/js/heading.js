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

function cards() {
  const card = (title, value, note) => el("div", { class: "card" }, el("dt", {}, title), el("dd", {}, value, el("small", {}, note)));
  const out = data.pools.filter((p) => p.buffers > 0)
    .map((p) => card(`static ${p.scope} pool`, human(p.size), `${p.size} B, ${certificate(p)}${p.order ? boundBy(p) : ""}`));
  const device = data.pools[0];
  if (device && device.sum > device.height) out.push(card("saved by reuse", human(device.sum - device.height), `${human(device.sum)} without it`));
  const { typical, worst, reuse } = data.arena;
  if (typical || worst) {
    const bytes = (d) => (d ? human(BigInt(reuse ? d.peak : d.sum)) : "unknown");
    const what = reuse ? "live peak" : "sum";
    out.push(card(`arena, ${reuse ? "reuse" : "bump"}`, bytes(typical || worst), typical ? `typical ${what}, worst ${bytes(worst)}` : `worst ${what}`));
  }
  out.push(card("host waits", String(data.waits.length + 1), data.waits.length === 0 ? "at the end of the batch only" : "with the end of the batch"));
  return out;
}
