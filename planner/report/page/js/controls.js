// The controls above the plots.
function choice(id, legend, options, get, set) {
  const radios = options.map(([value, text]) => {
    const input = el("input", { type: "radio", name: id, value, onchange: () => { set(value); redraw(); } });
    painters.push(() => { input.checked = get() === value; });
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
  const typing = (node) => node.tagName === "INPUT" && !["radio", "range", "checkbox"].includes(node.type);
  document.addEventListener("keydown", (e) => {
    if (e.key !== "/" || e.ctrlKey || e.metaKey || e.altKey || typing(e.target)) return;
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
  const bound = (title, get, set) => {
    const input = el("input", { type: "number", min: 0, max: Math.max(0, stepCount - 1), "aria-label": title, onchange: () => {
      set(Math.trunc(Number(input.value)) || 0);
      input.value = get();
    } });
    painters.push(() => { if (document.activeElement !== input || input.value !== "") input.value = get(); });
    return input;
  };
  const act = (text, title, action) => button(text, { "aria-label": title, title }, action);
  return el("fieldset", { class: "zoom" }, el("legend", {}, "Steps"),
    bound("First step shown", () => state.from, (v) => setZoom(v, state.to)), el("span", {}, "to"),
    bound("Last step shown", () => state.to - 1, (v) => setZoom(Math.min(state.from, v), v + 1)),
    act("+", "Zoom in", () => zoomBy(0.5)), act("−", "Zoom out", () => zoomBy(2)), act("All", "Show all steps", () => setZoom(0, stepCount)));
}
