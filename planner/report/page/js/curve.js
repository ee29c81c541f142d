// The curve of live bytes, above the same steps as the map.
const curve = svg("svg", { class: "curve", id: "curve", role: "img", "aria-label": "Live bytes by step" });
const readout = el("output", { class: "readout", id: "readout", "aria-live": "off" });
let hoverStep = -1;

// stairs is a line that is level within each step.
function stairs(values, p, y) {
  let d = "";
  for (let s = state.from; s < state.to; s++) {
    const at = y(values[s]).toFixed(2);
    d += `${d ? "L" : "M"}${p.x(s).toFixed(2)} ${at}H${p.x(s + 1).toFixed(2)}`;
  }
  return d;
}

function paintCurve() {
  const pool = data.pools[state.pool];
  const now = live[state.pool];
  const all = showsArena() ? held() : null;
  const width = curve.clientWidth || 800;
  const height = curve.clientHeight || 180;
  curve.setAttribute("viewBox", `0 0 ${width} ${height}`);
  const p = plot(width);
  const top = 22;
  const bottom = height - 22;
  // As in the map, the bytes are those of the pool, which starts with what is reserved.
  const room = pool.capacity;
  const highest = (all || []).reduce(largest, largest(pool.size, 1n));
  const off = room !== null && room > highest * 2n;
  const end = Number(room !== null && !off ? largest(highest, room) : highest) * 1.04;
  const above = (bytes) => Number(pool.reserved + bytes);
  const y = (bytes) => bottom - (bytes / end) * (bottom - top);
  const closed = (line) => `${line}L${p.right} ${bottom}H${p.left}Z`;
  const nodes = [svg("rect", { class: "ground", x: p.left, y: top, width: p.right - p.left, height: bottom - top }), ...byteAxis(p, y, 0, end, 3)];
  if (all) {
    const sum = stairs(all.map(Number), p, y);
    const floor = y(Number(pool.size));
    nodes.push(svg("path", { class: "area dynamic", d: `${sum}L${p.right} ${floor}H${p.left}Z` }), svg("path", { class: "live dynamic", id: "all", "data-live": all.join(" "), d: sum }));
  }
  const line = stairs(now.map(above), p, y);
  nodes.push(svg("path", { class: "area", d: closed(line) }));
  if (now.some((v, s) => v !== pool.live[s])) nodes.push(svg("path", { class: "planned", d: stairs(pool.live.map(above), p, y) }));
  nodes.push(svg("path", { class: "live", id: "live", "data-live": now.join(" "), "data-reserved": pool.reserved, "data-end": end, "data-top": top, "data-bottom": bottom, d: line }));
  const level = (bytes) => Math.max(top, y(Number(bytes)));
  const bound = level(pool.reserved + pool.bound);
  nodes.push(...rule(p, bound, "bound", `lower bound ${human(pool.bound)}${pool.order ? ", by missing order" : ""}`, "start", -4));
  const tall = level(pool.size);
  const region = all !== null || pool.height !== pool.bound;
  const at = room === null || off ? top : level(room);
  const near = room !== null && region && Math.abs(at - tall) < 30; // of two names at one end the lower one is below its line
  const under = near ? at <= tall : all !== null;
  if (region) nodes.push(...rule(p, tall, "height", `static region ${human(pool.size)}`, "end", under ? 12 : -4));
  if (room !== null) {
    const without = pool.scope === "device" && inArena.length > 0 && all === null ? ", the arena is not shown" : "";
    nodes.push(...rule(p, at, "capacity", `capacity ${human(room)}${off ? ", above" : ""}${without}`, "end", near && !under ? 12 : -4));
  }
  if (state.selected >= 0 && data.buffers[state.selected].pool === state.pool) nodes.push(...useBands(data.buffers[state.selected], p, top, bottom));
  if (hoverStep >= state.from && hoverStep < state.to) {
    nodes.push(svg("rect", { class: "guide", x: p.x(hoverStep), y: top, width: Math.max(1, p.scale), height: bottom - top }));
  }
  curve.replaceChildren(...nodes, ...stepAxis(p, height - 6));
  readout.textContent = hoverStep >= 0 && hoverStep < stepCount ? liveAt(hoverStep, now, all) : peakNow(now, all);
  curve.setAttribute("aria-label", `Live bytes of the static ${pool.scope} pool by step. ${peakNow(now, all)}`);
}

// rule is a level line with its name, above it or below.
const rule = (p, at, kind, text, anchor, shift) => [
  svg("line", { class: `rule ${kind}`, x1: p.left, x2: p.right, y1: at, y2: at }),
  label(anchor === "end" ? p.right - 4 : p.left + 4, at + shift, text, { class: `rule-name halo ${kind}`, "text-anchor": anchor }),
];

const liveAt = (s, now, all) => `${stepTitle(s)}: ${exact(now[s])} live` + (all ? `; ${human(all[s])} held: the static region and ${human(dynamic[s])} live in the arena, typical` : "");
const highestOf = (values) => values.reduce((peak, v, s) => (v > values[peak] ? s : peak), 0);

// peakNow says where most is live, what bounds the pool where that is no step, and where
// most is held with the arena.
function peakNow(now, all) {
  const pool = data.pools[state.pool];
  if (stepCount === 0) return "no steps";
  const peak = highestOf(now);
  const file = `${stepTitle(peak)}: ${exact(now[peak])} live`;
  const most = all ? highestOf(all) : 0;
  const arena = all ? `; with the arena most at ${stepTitle(most)}: ${exact(all[most])} held, the static region and ${human(dynamic[most])} live in the arena, typical`
    : showsArena() ? "; the arena is unknown: a count has no typical value" : "";
  if (!pool.order) return `peak at ${file}${arena}`;
  return `planned for ${peakOf(pool)}: ${exact(pool.peak_bytes)} with the padding; in the order of the file most at ${file}${arena}`;
}
painters.push(paintCurve);
