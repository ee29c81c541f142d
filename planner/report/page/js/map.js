// The memory map: steps across, addresses up, one shape for each buffer.
const map = svg("svg", {
  class: "map", id: "map", tabindex: "0", role: "listbox", "aria-label": "Memory map", "aria-describedby": "map-help",
});
const back = svg("g", { "aria-hidden": "true" });
const shapes = svg("g", { role: "presentation" });
const front = svg("g", { "aria-hidden": "true" });
map.append(back, shapes, front);

const mapTop = 16;
const mapBottom = 24;
let shapeOf = new Map(); // by buffer: its node
let shapesOf = ""; // what the nodes are of: the pool, and whether with the arena
let inOrder = []; // the buffers of the pool by time

const clip = svg("rect", {});
map.append(svg("clipPath", { id: "plot-area" }, clip));
shapes.setAttribute("clip-path", "url(#plot-area)");

// makeShapes makes the nodes of a pool. The larger area comes first, so that no buffer
// hides behind one that takes over its storage.
function makeShapes() {
  const list = data.buffers.filter(inMap);
  inOrder = [...list].sort((a, b) => a.first - b.first || (a.offset < b.offset ? -1 : a.offset > b.offset ? 1 : a.id - b.id));
  shapeOf = new Map();
  for (const b of inOrder) {
    const node = svg("path", { class: "buffer", id: `b${b.id}`, role: "option", "aria-selected": "false", "data-id": b.id });
    shapeOf.set(b.id, node);
  }
  shapes.replaceChildren(...[...inOrder].sort((a, b) => Number(b.max) * (b.end - b.first) - Number(a.max) * (a.end - a.first)).map((b) => shapeOf.get(b.id)));
}

// range is the addresses that the map shows.
function range() {
  if (state.high !== null) return [state.low, state.high];
  const pool = data.pools[state.pool];
  if (state.from === 0 && state.to === stepCount) return [0, Number(showsArena() ? arenaEnd : pool.reserved + pool.height)];
  let high = 0n;
  for (const b of inOrder) {
    if (b.first < state.to && b.own > state.from) high = largest(high, b.offset + (b.isStatic ? b.max : arenaBytes(b, sizes)));
  }
  return [0, Number(high)];
}

function outline(b, p, y) {
  let d = "";
  for (const t of partsOf(b, sizes)) {
    if (t.end <= state.from || t.first >= state.to) continue;
    const x0 = p.x(Math.max(t.first, state.from));
    const x1 = p.x(Math.min(t.end, state.to));
    const y0 = y(Number(b.offset + t.low));
    const y1 = y(Number(b.offset + t.high));
    d += `M${x0.toFixed(2)} ${y0.toFixed(2)}H${x1.toFixed(2)}V${Math.min(y1, y0 - 0.6).toFixed(2)}H${x0.toFixed(2)}Z`;
  }
  return d;
}

function paintMap() {
  const now = `${state.pool} ${showsArena()}`;
  if (shapesOf !== now) makeShapes();
  shapesOf = now;
  const pool = data.pools[state.pool];
  const width = map.clientWidth || 800;
  const height = map.clientHeight || 420;
  map.setAttribute("viewBox", `0 0 ${width} ${height}`);
  map.setAttribute("aria-label", `Memory map of the static ${pool.scope} pool${showsArena() ? " and the arena" : ""}: ${plural(inOrder.length, "buffer")}`);
  const p = plot(width);
  const [low, top] = range();
  const high = Math.max(top, low + 1);
  const y = (bytes) => height - mapBottom - ((bytes - low) / (high - low)) * (height - mapTop - mapBottom);
  fill(clip, { x: p.left, y: y(high) - 1, width: p.right - p.left, height: y(low) - y(high) + 2 }, []);
  const words = terms();
  const chosen = state.selected >= 0 ? data.buffers[state.selected] : null;

  back.replaceChildren(svg("rect", { class: "ground", x: p.left, y: y(high), width: p.right - p.left, height: y(low) - y(high) }));
  for (const at of ticks(low, high, 6)) {
    back.append(svg("line", { class: "grid", x1: p.left, x2: p.right, y1: y(at), y2: y(at) }));
    back.append(label(p.left - 6, y(at) + 4, tickText(at), { "text-anchor": "end", class: "tick" }));
  }
  if (pool.reserved > 0n && low < Number(pool.reserved)) {
    back.append(svg("rect", { class: "reserved", x: p.left, width: p.right - p.left, y: y(Number(pool.reserved)), height: Math.max(0.6, y(low) - y(Number(pool.reserved))) }));
  }
  back.append(...stepLabels(p, height - 7));

  if (showsArena()) {
    const at = y(Number(pool.size));
    if (at > y(high) && at < y(low) - 16) {
      back.append(svg("line", { class: "border", x1: p.left, x2: p.right, y1: at, y2: at }));
      back.append(label(p.left + 4, at + 13, "arena: typical sizes, placed as an example", { class: "tick" }));
    }
  }

  front.replaceChildren();
  let texts = 0;
  for (const b of inOrder) {
    const node = shapeOf.get(b.id);
    put(node, "d", outline(b, p, y));
    put(node, "aria-label", `${b.name}, ${exact(sizes.bytes[b.id])}, at ${b.offset}, ${stepsOf(b)}`);
    const hit = words.length > 0 && found(b, words);
    const dim = chosen ? b.id !== chosen.id : words.length > 0 && !hit;
    put(node, "class", "buffer" + (b.isStatic ? "" : " dynamic") + (hit ? " found" : "") + (dim ? " dim" : "") + (b.id === state.selected ? " selected" : "") + (b.id === state.active ? " active" : ""));
    put(node, "aria-selected", String(b.id === state.selected));
    paintHue(node, hue(b));
    const x0 = p.x(Math.max(b.first, state.from));
    const room = p.x(Math.min(b.own, state.to)) - x0 - 8;
    const from = Math.min(y(low), y(Number(b.offset)));
    const tall = from - Math.max(y(high), y(Number(b.offset + (sizes.bytes[b.id] ?? b.max))));
    if (room > 34 && tall > 13 && !dim && texts < 300) {
      const fits = Math.floor(room / 6.1);
      const text = b.short.length > fits ? `${b.short.slice(0, fits - 1)}…` : b.short;
      front.append(label(x0 + 4, from - tall / 2 + 4, text, { class: "name" }));
      texts++;
    }
  }
  if (state.active >= 0 && shapeOf.has(state.active)) map.setAttribute("aria-activedescendant", `b${state.active}`);
  else map.removeAttribute("aria-activedescendant");
  if (chosen && chosen.pool === state.pool) {
    front.append(...useBands(chosen, p, mapTop, height - mapBottom));
  }
  for (const id of new Set([state.active, state.selected])) {
    const node = shapeOf.get(id);
    if (node) front.append(svg("path", { d: node.getAttribute("d"), "clip-path": "url(#plot-area)", class: id === state.selected ? "ring chosen" : "ring" }));
  }
}

// useBands mark the steps that write and read a buffer.
function useBands(b, p, top, bottom) {
  const out = [];
  const band = (s, name) => {
    if (s < state.from || s >= state.to) return;
    out.push(svg("rect", { class: `band ${name}`, "data-step": s, x: p.x(s), width: Math.max(1.5, p.scale), y: top, height: bottom - top }));
    const middle = p.x(s) + p.scale / 2;
    out.push(svg("path", { class: `flag ${name}`, d: `M${middle - 5} ${top - 9}h10l-5 8z` }));
  };
  for (const s of b.readers) band(s, "reader");
  if (b.step >= 0) band(b.step, "producer");
  return out;
}

// move goes to another buffer by an arrow key.
function move(key) {
  if (inOrder.length === 0) return;
  const b = state.active >= 0 && data.buffers[state.active].pool === state.pool ? data.buffers[state.active] : null;
  const at = b ? inOrder.indexOf(b) : -1;
  let next = b;
  if (!b || key === "Home") next = inOrder[0];
  else if (key === "End") next = inOrder[inOrder.length - 1];
  else if (key === "ArrowRight") next = inOrder[Math.min(at + 1, inOrder.length - 1)];
  else if (key === "ArrowLeft") next = inOrder[Math.max(at - 1, 0)];
  else {
    const up = key === "ArrowUp";
    for (const c of inOrder) {
      if (c === b || c.first >= b.end || b.first >= c.end || (up ? c.offset <= b.offset : c.offset >= b.offset)) continue;
      if (next === b || (up ? c.offset < next.offset : c.offset > next.offset)) next = c;
    }
  }
  state.active = next.id;
  const [low, high] = range();
  if (Number(next.offset) > high || Number(next.offset + next.max) < low) setZoom(state.from, state.to);
  if (next.end <= state.from || next.first >= state.to) {
    const span = state.to - state.from;
    setZoom(Math.min(next.first, stepCount - span), Math.min(next.first, stepCount - span) + span);
  }
  redraw();
}

map.addEventListener("keydown", (e) => {
  if (e.ctrlKey || e.metaKey || e.altKey) return;
  if (["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End"].includes(e.key)) move(e.key);
  else if ((e.key === "Enter" || e.key === " ") && state.active >= 0) select(state.selected === state.active ? -1 : state.active);
  else if (e.key === "Escape") select(-1);
  else if (e.key === "+" || e.key === "=") zoomBy(0.5);
  else if (e.key === "-") zoomBy(2);
  else if (e.key === "z" && state.active >= 0) zoomTo(data.buffers[state.active]);
  else if (e.key === "0") setZoom(0, stepCount);
  else return;
  e.preventDefault();
});
painters.push(paintMap);
