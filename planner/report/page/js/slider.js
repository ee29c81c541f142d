// The sliders give the parameters values; that of the batch size comes first.
function sliders() {
  const ranged = data.params.map((_, i) => i).filter((i) => data.params[i].min < data.params[i].max);
  ranged.sort((a, b) => (data.params[b].name === data.batch) - (data.params[a].name === data.batch));
  return ranged.length > 0 ? el("div", { class: "sliders" }, ranged.map(slider)) : null;
}

// slider has a position for each value, up to a million.
function slider(param) {
  const p = data.params[param];
  const span = p.max - p.min;
  const places = least(span, 1000000n);
  const range = el("input", { type: "range", min: 0, max: places, step: 1, id: `slider-${param}`, "aria-label": p.name,
    oninput: () => setValue(param, p.min + span * BigInt(range.value) / places) });
  const exactly = el("input", { type: "text", inputmode: "numeric", "aria-label": `${p.name}, exact value`, id: `value-${param}`, size: Math.max(5, String(p.max).length),
    onchange: () => {
      if (/^\d+$/.test(exactly.value.trim())) setValue(param, BigInt(exactly.value.trim()));
      exactly.value = state.values[param];
    } });
  const peak = el("output", {});
  painters.push(() => {
    const value = state.values[param];
    range.value = String(((value - p.min) * places + span - 1n) / span); // the position that gives this value
    range.setAttribute("aria-valuetext", String(value));
    if (document.activeElement !== exactly) exactly.value = String(value);
    const pool = data.pools[state.pool];
    const all = showsArena() ? needNow(byBasis.peak) : null;
    peak.textContent = `${pool.order ? "most at one step" : "peak"} ${human(live[state.pool].reduce(largest, 0n))} of ${human(pool.height)} planned` +
      (all === null ? "" : `; with the arena ${human(all)}`);
  });
  return el("div", { class: "slider" }, el("label", { for: `slider-${param}` }, named(p.name), p.name === data.batch ? el("small", {}, " batch size") : null),
    el("span", { class: "end" }, String(p.min)), range, el("span", { class: "end" }, String(p.max)), exactly, peak);
}
