// The memory map: steps across, addresses up, one shape for each buffer.
const map = svg("svg", {
  class: "map", id: "map", tabindex: "0", role: "listbox", "aria-label": "Memory map", "aria-describedby": "map-help",
});
const back = svg("g", { "aria-hidden": "true" });
const shapes = svg("g", { role: "presentation", "clip-path": "url(#plot-area)" });
const front = svg("g", { "aria-hidden": "true" });
const clip = svg("rect", {});
map.append(patterns, svg("clipPath", { id: "plot-area" }, clip), back, shapes, front);

const mapTop = 16;
const mapBottom = 24;
const mostNames = 300; // that are written into shapes
let shapeOf = new Map(); // by buffer: its node
let shapesOf = ""; // what the nodes are of: the pool, and whether with the arena
let inOrder = []; // the buffers of the map by time

// makeShapes makes the nodes of a pool. The larger area comes first, so that no buffer
// hides behind one that takes over its storage.
function makeShapes() {
  const now = `${state.pool} ${showsArena()}`;
  if (shapesOf === now) return;
  shapesOf = now;
  inOrder = data.buffers.filter(inMap).sort((a, b) => a.first - b.first || (a.offset < b.offset ? -1 : a.offset > b.offset ? 1 : a.id - b.id));
  shapeOf = new Map(inOrder.map((b) => [b.id, svg("path", { class: "buffer", id: `b${b.id}`, role: "option", "aria-selected": "false", "data-id": b.id })]));
  const area = (b) => Number(b.max) * (b.end - b.first);
  shapes.replaceChildren(...[...inOrder].sort((a, b) => area(b) - area(a)).map((b) => shapeOf.get(b.id)));
}

// boxesOf are the rectangles of a buffer in the picture.
function boxesOf(b, p, y) {
  return partsOf(b, sizes).filter((t) => t.end > state.from && t.first < state.to).map((t) => ({
    left: p.x(Math.max(t.first, state.from)), right: p.x(Math.min(t.end, state.to)), low: y(Number(b.offset + t.low)), high: y(Number(b.offset + t.high)),
  }));
}
const outline = (boxes) => boxes.map((r) => `M${r.left.toFixed(2)} ${r.low.toFixed(2)}H${r.right.toFixed(2)}V${Math.min(r.high, r.low - 0.6).toFixed(2)}H${r.left.toFixed(2)}Z`).join("");

// nameOf writes the name of a buffer into the widest of its boxes that is tall enough.
function nameOf(b, boxes, area) {
  let best = null;
  for (const r of boxes) {
    const box = { left: r.left, right: r.right, low: Math.min(r.low, area.bottom), high: Math.max(r.high, area.top) };
    if (box.low - box.high > 13 && box.right - box.left > 20 && (!best || box.right - box.left > best.right - best.left)) best = box;
  }
  const text = best ? clipped(b.short, best.right - best.left - 8) : "";
  return text ? label(best.left + 4, (best.low + best.high) / 2 + 4, text, { class: "name" }) : null;
}

function paintMap() {
  makeShapes();
  const pool = data.pools[state.pool];
  const width = map.clientWidth || 800;
  const height = map.clientHeight || 420;
  map.setAttribute("viewBox", `0 0 ${width} ${height}`);
  map.setAttribute("aria-label", `Memory map of the static ${pool.scope} pool${showsArena() ? " and the arena" : ""}: ${plural(inOrder.length, "buffer")}`);
  const p = plot(width);
  const [low, top] = range();
  const high = Math.max(top, low + 1);
  const y = (bytes) => height - mapBottom - ((bytes - low) / (high - low)) * (height - mapTop - mapBottom);
  const area = { top: y(high), bottom: y(low) };
  fill(clip, { x: p.left, y: area.top - 1, width: p.right - p.left, height: area.bottom - area.top + 2 }, []);
  back.replaceChildren(svg("rect", { class: "ground", x: p.left, y: area.top, width: p.right - p.left, height: area.bottom - area.top }),
    ...byteAxis(p, y, low, high, 6), ...stepAxis(p, height - 7));
  if (pool.reserved > 0n && low < Number(pool.reserved)) {
    const at = y(Number(pool.reserved));
    back.append(svg("rect", { class: "reserved", x: p.left, width: p.right - p.left, y: at, height: Math.max(0.6, area.bottom - at) }));
  }

  const words = terms();
  const chosen = state.selected >= 0 ? data.buffers[state.selected] : null;
  const names = [];
  const textured = textures.map(() => "");
  for (const b of inOrder) {
    const node = shapeOf.get(b.id);
    const boxes = boxesOf(b, p, y);
    const hit = words.length > 0 && found(b, words);
    const dim = chosen ? b !== chosen : state.group !== null ? grouping().of(b) !== state.group : words.length > 0 && !hit;
    const look = lookOf(b);
    put(node, "d", outline(boxes));
    put(node, "data-look", nameOfLook(look));
    put(node, "fill", fillOf(look));
    put(node, "stroke", edgeOf(look));
    put(node, "aria-label", `${b.name}, ${exact(sizes.bytes[b.id])}, at ${b.offset}, ${stepsOf(b)}`);
    put(node, "class", "buffer" + (b.isStatic ? "" : " dynamic") + (hit ? " found" : "") + (dim ? " dim" : "") + (b.id === state.selected ? " selected" : "") + (b.id === state.active ? " active" : ""));
    put(node, "aria-selected", String(b.id === state.selected));
    if (look.texture && !dim) textured[look.texture] += outline(boxes);
    const text = dim || names.length >= mostNames ? null : nameOf(b, boxes, area);
    if (text) names.push(text);
  }
  // All shapes of a texture are one path: hundreds of them would make a large file on paper.
  front.replaceChildren(...textured.flatMap((d, texture) => (d ? [svg("path", { class: "textured", d, fill: textureOf(texture), "clip-path": "url(#plot-area)" })] : [])), ...names);
  if (showsArena()) paintBorder(p, y(Number(pool.size)), area);
  if (state.active >= 0 && shapeOf.has(state.active)) map.setAttribute("aria-activedescendant", `b${state.active}`);
  else map.removeAttribute("aria-activedescendant");
  if (chosen && chosen.pool === state.pool) front.append(...useBands(chosen, p, mapTop, height - mapBottom));
  for (const id of new Set([state.active, state.selected])) {
    const node = shapeOf.get(id);
    if (node) front.append(svg("path", { d: node.getAttribute("d"), "clip-path": "url(#plot-area)", class: id === state.selected ? "ring chosen" : "ring" }));
  }
}

// paintBorder draws where the arena starts.
function paintBorder(p, at, area) {
  if (at <= area.top || at >= area.bottom - 16) return;
  const text = clipped("arena: typical sizes, placed as an example", p.right - p.left - 8);
  front.append(svg("line", { class: "border", x1: p.left, x2: p.right, y1: at, y2: at }), label(p.left + 4, at + 13, text, { class: "tick halo", id: "arena-name" }));
}
painters.push(paintMap);
