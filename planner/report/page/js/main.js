// The page: what the plan is, the controls, the plots, the tables.
function heading() {
  const fixed = data.params.filter((p) => p.min === p.max);
  const card = (name, value, note) => el("div", { class: "card" }, el("dt", {}, name), el("dd", {}, value, note ? el("small", {}, note) : null));
  const cards = [];
  for (const p of data.pools) {
    if (p.buffers === 0) continue;
    const gap = p.optimal ? "proven optimal" : `gap ${p.gap.toFixed(2)} % above the bound`;
    cards.push(card(`static ${p.scope} pool`, human(p.size), `${p.size} B, ${gap}`));
  }
  const device = data.pools[0];
  if (device && device.sum > device.height) {
    cards.push(card("saved by reuse", human(device.sum - device.height), `${human(device.sum)} without it`));
  }
  const { typical, worst } = data.arena;
  if (typical || worst) {
    const bytes = (d) => (d ? human(BigInt(data.arena.reuse ? d.peak : d.sum)) : "unknown");
    const what = data.arena.reuse ? "live peak" : "sum";
    cards.push(card(`arena, ${data.arena.reuse ? "reuse" : "bump"}`, bytes(typical || worst), typical ? `typical ${what}, worst ${bytes(worst)}` : `worst ${what}`));
  }
  cards.push(card("host waits", String(data.waits.length + 1), data.waits.length === 0 ? "at the end of the batch only" : "with the end of the batch"));
  return el("header", {},
    el("div", { class: "title" },
      el("h1", {}, data.name),
      el("p", {}, [data.source, `plan ${data.hash}`, plural(stepCount, "step"), plural(data.buffers.length, "buffer"), plural(data.workers, "worker")].filter(Boolean).join(" · "))),
    fixed.length > 0 ? el("details", {}, el("summary", {}, plural(fixed.length, "constant")),
      el("p", { class: "props" }, fixed.map((p) => el("span", {}, `${p.name} = ${p.max}`)))) : null,
    el("dl", { class: "cards" }, cards));
}

function choice(name, legend, options, get, set) {
  const radios = options.map(([value, text]) => {
    const input = el("input", { type: "radio", name, value, onchange: () => { set(value); redraw(); } });
    painters.push(() => { input.checked = String(get()) === String(value); });
    return el("label", {}, input, el("span", {}, text));
  });
  return el("fieldset", { class: "choice" }, el("legend", {}, legend), radios);
}

function arenaBox() {
  const input = el("input", { type: "checkbox", id: "arena", onchange: () => { state.arena = input.checked; redraw(); } });
  const node = el("label", { class: "check", title: "Dynamic buffers at typical sizes, behind the static pool" }, input, " with the arena");
  painters.push(() => {
    input.checked = state.arena;
    node.hidden = state.pool !== 0;
  });
  return node;
}

const hitsText = el("output", { class: "hits", id: "hits" });
let next = 0; // which of the buffers that were found is selected by Enter
function search() {
  const hits = () => {
    const words = terms();
    return words.length === 0 ? [] : data.buffers.filter((b) => found(b, words));
  };
  const input = el("input", { type: "search", id: "search", placeholder: "Search buffers  ( / )", "aria-label": "Search buffers by name, type or algorithm",
    autocomplete: "off", spellcheck: "false", oninput: () => {
      state.query = input.value;
      next = 0;
      redraw();
    }, onkeydown: (e) => {
      if (e.key === "Enter") {
        const list = hits();
        if (list.length > 0) select(list[next++ % list.length].id);
      } else if (e.key === "Escape") {
        input.value = state.query = "";
        select(-1);
      }
    } });
  document.addEventListener("keydown", (e) => {
    if (e.key !== "/" || e.ctrlKey || e.metaKey || e.altKey || ["INPUT", "TEXTAREA"].includes(e.target.tagName) && e.target.type !== "radio" && e.target.type !== "range") return;
    e.preventDefault();
    input.focus();
    input.select();
  });
  painters.push(() => {
    const list = hits();
    const here = list.filter(inMap).length;
    hitsText.textContent = terms().length === 0 ? "" : list.length === 0 ? "nothing found" : `${plural(list.length, "buffer")} found, ${here} in this map; Enter selects`;
  });
  return el("div", { class: "search" }, input);
}

function zoom() {
  const bound = (name, get, set) => {
    const input = el("input", { type: "number", min: 0, max: Math.max(0, stepCount - 1), "aria-label": name, onchange: () => set(Math.trunc(Number(input.value)) || 0) });
    painters.push(() => { if (document.activeElement !== input || input.value !== "") input.value = get(); });
    return input;
  };
  const button = (text, name, act) => el("button", { type: "button", "aria-label": name, title: name, onclick: act }, text);
  return el("fieldset", { class: "zoom" }, el("legend", {}, "Steps"),
    bound("First step shown", () => state.from, (v) => setZoom(v, state.to)), el("span", {}, "to"),
    bound("Last step shown", () => state.to - 1, (v) => setZoom(Math.min(state.from, v), v + 1)),
    button("+", "Zoom in", () => zoomBy(0.5)), button("−", "Zoom out", () => zoomBy(2)), button("All", "Show all steps", () => setZoom(0, stepCount)));
}

// slider gives a parameter a value. It has a position for each value, up to a million.
function slider(param) {
  const p = data.params[param];
  const span = p.max - p.min;
  const places = least(span, 1000000n);
  const range = el("input", { type: "range", min: 0, max: places, step: 1, id: `slider-${param}`, "aria-label": p.name,
    oninput: () => setValue(param, p.min + span * BigInt(range.value) / places) });
  const text = el("input", { type: "text", inputmode: "numeric", "aria-label": `${p.name}, exact value`, id: `value-${param}`, size: Math.max(5, String(p.max).length),
    onchange: () => {
      if (/^\d+$/.test(text.value.trim())) setValue(param, BigInt(text.value.trim()));
      else text.value = state.values[param];
    } });
  const peak = el("output", {});
  painters.push(() => {
    const value = state.values[param];
    range.value = String((value - p.min) * places / span);
    range.setAttribute("aria-valuetext", String(value));
    if (document.activeElement !== text) text.value = String(value);
    const pool = data.pools[state.pool];
    const most = live[state.pool].reduce(largest, 0n);
    peak.textContent = `peak ${human(most)} of ${human(pool.height)} planned`;
  });
  return el("div", { class: "slider" }, el("label", { for: `slider-${param}` }, p.name, p.name === data.batch ? el("small", {}, " batch size") : null),
    el("span", { class: "end" }, String(p.min)), range, el("span", { class: "end" }, String(p.max)), text, peak);
}

function legend() {
  const box = el("p", { class: "legend", "aria-label": "Colours" });
  painters.push(() => {
    const list = data.buffers.filter(inMap);
    const names = { algorithm: (b) => stepName(b.step), class: (b) => b.class, kind: (b) => b.kind }[state.colour];
    const groups = new Map();
    for (const b of list) {
      const g = groups.get(names(b)) || { hue: hue(b), bytes: 0n };
      g.bytes += sizes.bytes[b.id] ?? 0n;
      groups.set(names(b), g);
    }
    const largestFirst = [...groups].sort((a, b) => (b[1].bytes > a[1].bytes ? 1 : b[1].bytes < a[1].bytes ? -1 : 0));
    box.replaceChildren(...largestFirst.slice(0, 8).map(([name, g]) => chip(g.hue, `${name} ${human(g.bytes)}`)),
      largestFirst.length > 8 ? ` and ${largestFirst.length - 8} more` : "");
  });
  return box;
}

const ranged = data.params.map((p, i) => i).filter((i) => data.params[i].min < data.params[i].max);
ranged.sort((a, b) => (data.params[b].name === data.batch) - (data.params[a].name === data.batch));
const colours = [["algorithm", "algorithm"], ["kind", "kind"], ["class", "class"]];
document.getElementById("app").append(
  heading(),
  el("main", {},
    el("div", { class: "controls" },
      choice("pool", "Pool", data.pools.map((p, i) => [i, `${p.scope} (${p.buffers})`]), () => state.pool, (v) => {
        state.pool = Number(v);
        state.active = -1;
        state.low = state.high = null;
        if (state.selected >= 0 && data.buffers[state.selected].pool !== state.pool) state.selected = -1;
      }),
      inArena.length > 0 ? arenaBox() : null,
      choice("colour", "Colour by", colours, () => state.colour, (v) => { state.colour = v; }),
      zoom(), search()),
    ranged.length > 0 ? el("div", { class: "sliders" }, ranged.map(slider)) : null,
    el("div", { class: "plots" },
      el("div", { class: "figures" },
        el("figure", {}, el("figcaption", {}, "Live bytes ", readout), curve),
        el("figure", {}, el("figcaption", {}, "Memory map ", el("small", { id: "map-help" }, "steps across, addresses up; arrow keys move, Enter selects"), hitsText), map, legend())),
      detail),
    classTable(), poolTable(), data.counts.length > 0 ? countTable() : null, bufferTable(), stepTable()),
  el("footer", {}, "Sizes and curve follow the formulas exactly; the map keeps the offsets of the plan. Written by seqplan."),
  tip);
new ResizeObserver(redraw).observe(map);
for (const paint of painters) paint();
document.documentElement.dataset.ready = "true";
