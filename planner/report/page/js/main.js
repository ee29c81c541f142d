// The page: what the plan is, how it stands, the controls, the plots, the tables.
const figure = (title, note, ...children) => el("figure", {}, el("figcaption", {}, `${title} `, note), children);
document.getElementById("app").append(
  heading(),
  el("main", {},
    capacity === null ? "" : capacityBox(),
    data.budgets ? budgetBox() : "",
    data.baseline ? baselineBox() : "",
    el("div", { class: "controls" },
      choice("pool", "Pool", data.pools.map((p, i) => [i, `${p.scope} (${p.buffers})`]), () => state.pool, setPool),
      inArena.length > 0 ? arenaBox() : null,
      choice("colour", "Colour by", Object.keys(groupings).map((g) => [g, g]), () => state.colour, (v) => {
        state.colour = v;
        state.group = null;
      }),
      zoom(), search()),
    sliders(),
    el("div", { class: "plots" },
      el("div", { class: "figures" },
        figure("Live bytes", readout, curve),
        figure("Memory map", [el("small", { id: "map-help" }, "steps across, addresses up; arrow keys move, Enter selects"), hitsText], map, legend())),
      detail),
    classTable(), capacity === null ? needBox() : null, poolTable(), data.counts.length > 0 ? countTable() : null, bufferTable(), stepTable()),
  el("footer", {}, "Sizes and curve follow the formulas exactly; the map keeps the offsets of the plan. Written by seqplan."),
  tip);
new ResizeObserver(redraw).observe(map);
for (const paint of painters) paint();
document.documentElement.dataset.ready = "true";
