// Elements without markup: every text goes through textContent.
function fill(node, attributes, children) {
  for (const [key, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
    else node.setAttribute(key, value === true ? "" : value);
  }
  for (const child of children.flat()) {
    if (child !== null && child !== undefined) node.append(child);
  }
  return node;
}
const el = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);
const svg = (tag, attributes, ...children) => fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);

// put sets an attribute only if it changes: a thousand shapes are drawn at each redraw.
function put(node, key, value) {
  node.known = node.known || {};
  if (node.known[key] === value) return;
  node.known[key] = value;
  node.setAttribute(key, value);
}

// state is what the reader of the page has chosen.
const state = {
  pool: 0,
  arena: false, // show the dynamic device buffers too
  colour: "algorithm",
  from: 0, // steps shown
  to: stepCount,
  low: null, // addresses shown; null is all that the steps shown use
  high: null,
  selected: -1,
  active: -1, // where the keyboard is
  query: "",
  values: data.params.map((p) => p.max),
};
let version = 0; // of the values
let sizes = evaluate(state.values);
let live = data.pools.map((_, i) => liveBytes(i, sizes));
let dynamic = arenaLive(sizes);
const arenaEnd = placeArena(sizes); // the offsets stay when the sizes change
// Where the arena is far larger it would leave nothing to see of the static pool.
state.arena = inArena.length > 0 && arenaEnd <= data.pools[0].size * 8n;
const showsArena = () => state.arena && state.pool === 0;
const inMap = (b) => b.pool === state.pool && (b.isStatic || (showsArena() && b.scope === "device"));

// Whoever draws something says so here; redraw calls all of them in the next frame.
const painters = [];
let pending = false;
function redraw() {
  if (pending) return;
  pending = true;
  requestAnimationFrame(() => {
    pending = false;
    for (const paint of painters) paint();
  });
}

function setValue(param, value) {
  const p = data.params[param];
  state.values[param] = least(largest(value, p.min), p.max);
  version++;
  sizes = evaluate(state.values);
  live = data.pools.map((_, i) => liveBytes(i, sizes));
  dynamic = arenaLive(sizes);
  redraw();
}

function setZoom(from, to, low = null, high = null) {
  state.low = low;
  state.high = high;
  from = Math.max(0, Math.min(from, stepCount - 1));
  state.from = from;
  state.to = Math.max(from + 1, Math.min(to, stepCount));
  redraw();
}

function zoomBy(factor) {
  const span = Math.max(1, Math.round((state.to - state.from) * factor));
  const at = state.active >= 0 ? data.buffers[state.active] : null;
  const middle = at ? (at.first + at.end) / 2 : (state.from + state.to) / 2;
  const from = Math.max(0, Math.min(stepCount - span, Math.round(middle - span / 2)));
  setZoom(from, from + span);
}

// zoomTo shows a buffer with some room around it.
function zoomTo(b) {
  const span = Math.max(2, Math.ceil((b.end - b.first) * 0.4));
  const bytes = Number(sizes.bytes[b.id] ?? b.max);
  const low = Number(b.offset);
  const room = Math.max(64, bytes * 0.6);
  setZoom(b.first - span, b.end + span, inMap(b) ? Math.max(0, low - room) : null, inMap(b) ? low + bytes + room : null);
}

// select highlights a buffer, in its pool; -1 is none.
function select(id) {
  state.selected = id;
  if (id >= 0) {
    const b = data.buffers[id];
    state.active = id;
    state.pool = b.pool;
    if (!b.isStatic && b.pool === 0) state.arena = true;
    if (b.end <= state.from || b.first >= state.to || (state.high !== null && (Number(b.offset) >= state.high || Number(b.offset + b.max) <= state.low))) setZoom(0, stepCount);
  }
  redraw();
}

const terms = () => state.query.toLowerCase().split(/\s+/).filter(Boolean);
// found tells whether a buffer has all words of the search in its name, type or step.
function found(b, words) {
  const text = `${b.name} ${b.type} ${stepName(b.step)}`.toLowerCase();
  return words.every((w) => text.includes(w));
}

// hue is the colour of a buffer as an angle; null is grey.
const kinds = { input: 250, write: 205, scratch: 75, output: 150, kept: 320 };
function hue(b) {
  switch (state.colour) {
    case "algorithm":
      return b.step < 0 ? null : (b.step * 137.508 + 20) % 360;
    case "class":
      return b.isStatic ? 240 : 50;
  }
  return kinds[b.kind];
}
function paintHue(node, angle) {
  if (node.angle === angle) return;
  node.angle = angle;
  node.style.setProperty("--hue", angle === null ? 0 : angle);
  node.style.setProperty("--grey", angle === null ? 0 : 1);
}

// The plot area that the map and the curve share: step s starts at x(s).
function plot(width) {
  const left = width < 500 ? 58 : 72;
  const right = 14;
  const scale = (width - left - right) / Math.max(1, state.to - state.from);
  return { left, right: width - right, scale, x: (s) => left + (s - state.from) * scale, step: (x) => Math.floor((x - left) / scale) + state.from };
}

// ticks returns round numbers of bytes from one to another, in binary units.
function ticks(low, high, most) {
  let step = 1;
  while ((high - low) / step > most) step *= 2;
  const out = [];
  for (let at = Math.ceil(low / step) * step; at <= high; at += step) out.push(at);
  return out;
}
const tickText = (at) => human(BigInt(at)).replace(".0 ", " ");

function label(x, y, text, attributes) {
  const node = svg("text", { x, y, ...attributes });
  node.textContent = text;
  return node;
}

// steps are labels below a plot, as many as there is room for.
function stepLabels(p, y) {
  const count = state.to - state.from;
  const every = Math.max(1, Math.ceil(36 / p.scale));
  const nice = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000].find((n) => n >= every) || every;
  const out = [];
  for (let s = Math.ceil(state.from / nice) * nice; s < state.from + count; s += nice) {
    out.push(label(p.x(s) + p.scale / 2, y, String(s), { "text-anchor": "middle", class: "tick" }));
  }
  return out;
}
