// The curve of live bytes, above the same steps as the map.
const curve = svg("svg", { class: "curve", id: "curve", role: "img", "aria-label": "Live bytes by step" });
const readout = el("output", { class: "readout", id: "readout", "aria-live": "off" });
let hoverStep = -1;

// stairs is a line that is level within each step.
function stairs(values, p, y) {
  let d = "";
  for (let s = state.from; s < state.to; s++) {
    const at = y(Number(values[s])).toFixed(2);
    d += `${d ? "L" : "M"}${p.x(s).toFixed(2)} ${at}H${p.x(s + 1).toFixed(2)}`;
  }
  return d;
}

function paintCurve() {
  const pool = data.pools[state.pool];
  const now = live[state.pool];
  const all = showsArena() ? now.map((v, s) => v + dynamic[s]) : now;
  const width = curve.clientWidth || 800;
  const height = curve.clientHeight || 180;
  curve.setAttribute("viewBox", `0 0 ${width} ${height}`);
  const p = plot(width);
  const top = 22;
  const bottom = height - 22;
  // The device pool is full when what is packed, behind what is reserved, is this large.
  const room = pool.capacity === null ? null : largest(0n, pool.capacity - pool.reserved);
  const highest = all.reduce(largest, largest(pool.height, 1n));
  const off = room !== null && room > highest * 2n;
  const end = Number(room !== null && !off ? largest(highest, room) : highest) * 1.04;
  const y = (bytes) => bottom - (bytes / end) * (bottom - top);
  const closed = (line) => `${line}L${p.right} ${bottom}H${p.left}Z`;
  const nodes = [svg("rect", { class: "ground", x: p.left, y: top, width: p.right - p.left, height: bottom - top }), ...byteAxis(p, y, 0, end, 3)];
  if (showsArena()) {
    const sum = stairs(all, p, y);
    nodes.push(svg("path", { class: "area dynamic", d: closed(sum) }), svg("path", { class: "live dynamic", id: "all", "data-live": all.join(" "), d: sum }));
  }
  const line = stairs(now, p, y);
  nodes.push(svg("path", { class: "area", d: closed(line) }));
  if (now.some((v, s) => v !== pool.live[s])) nodes.push(svg("path", { class: "planned", d: stairs(pool.live, p, y) }));
  nodes.push(svg("path", { class: "live", id: "live", "data-live": now.join(" "), "data-end": end, "data-top": top, "data-bottom": bottom, d: line }));
  const level = (bytes) => Math.max(top, y(Number(bytes)));
  const bound = level(pool.bound);
  nodes.push(...rule(p, bound, "bound", `lower bound ${human(pool.bound)}${pool.order ? ", by missing order" : ""}`, "start", -4));
  const tall = level(pool.height);
  if (pool.height !== pool.bound) nodes.push(...rule(p, tall, "height", `height ${human(pool.height)}`, "end", -4));
  if (room !== null) {
    const at = off ? top : level(room);
    const below = pool.height !== pool.bound && Math.abs(at - tall) < 14; // of two names at one end one is below its line
    nodes.push(...rule(p, at, "capacity", `capacity ${human(pool.capacity)}${off ? ", above" : ""}`, "end", below ? 12 : -4));
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

const liveAt = (s, now, all) => `step ${s} ${shortened(stepName(s), 80)}: ${exact(now[s])} live${showsArena() ? `, ${human(all[s])} with the arena, typical` : ""}`;

// peakNow says where most is live, and what bounds the pool where that is no step.
function peakNow(now, all) {
  const pool = data.pools[state.pool];
  if (stepCount === 0) return "no steps";
  let peak = 0;
  now.forEach((v, s) => { if (v > now[peak]) peak = s; });
  if (!pool.order) return `peak at ${liveAt(peak, now, all)}`;
  return `planned for ${peakOf(pool)}: ${exact(pool.peak_bytes)} with the padding; in the order of the file most at ${liveAt(peak, now, all)}`;
}
painters.push(paintCurve);
