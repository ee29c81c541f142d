// What the reader of the page has chosen, and what it comes to.
const state = {
  pool: 0,
  arena: false, // show the dynamic device buffers too
  colour: "algorithm",
  group: null, // the one that the legend highlights
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
// held is what the device pool of one worker holds in each step: the static region all the
// time, and what is live in the arena; null if a typical size is unknown.
const held = () => (arenaKnown(sizes) ? dynamic.map((bytes) => behind(data.pools[0].size, bytes)) : null);
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

function setPool(pool) {
  state.pool = pool;
  state.active = -1;
  state.low = state.high = null;
  if (state.selected >= 0 && data.buffers[state.selected].pool !== pool) state.selected = -1;
  redraw();
}

// select highlights a buffer, in its pool; -1 is none.
function select(id) {
  state.selected = id;
  if (id < 0) {
    state.group = null;
  } else {
    const b = data.buffers[id];
    state.active = id;
    state.pool = b.pool;
    if (!b.isStatic && b.pool === 0) state.arena = true;
    if (!inView(b)) setZoom(0, stepCount);
  }
  redraw();
}

const terms = () => state.query.toLowerCase().split(/\s+/).filter(Boolean);
// found tells whether a buffer has all words of the search in its name, type or step.
function found(b, words) {
  const text = `${b.name} ${b.type} ${stepName(b.step)}`.toLowerCase();
  return words.every((w) => text.includes(w));
}
