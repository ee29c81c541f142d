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
  const width = curve.clientWidth || 800;
  const height = curve.clientHeight || 180;
  curve.setAttribute("viewBox", `0 0 ${width} ${height}`);
  const p = plot(width);
  const top = 22;
  const bottom = height - 22;
  // The device pool is full when what is packed, behind what is reserved, is this large.
  const room = pool.capacity === null ? null : largest(0n, pool.capacity - pool.reserved);
  const all = showsArena() ? now.map((v, s) => v + dynamic[s]) : now;
  const highest = all.reduce(largest, largest(pool.height, 1n));
  const off = room !== null && room > highest * 2n;
  const end = Number(room !== null && !off ? largest(highest, room) : highest) * 1.04;
  const y = (bytes) => bottom - (bytes / end) * (bottom - top);
  const nodes = [svg("rect", { class: "ground", x: p.left, y: top, width: p.right - p.left, height: bottom - top })];
  for (const at of ticks(0, end, 3)) {
    nodes.push(svg("line", { class: "grid", x1: p.left, x2: p.right, y1: y(at), y2: y(at) }));
    nodes.push(label(p.left - 6, y(at) + 4, tickText(at), { "text-anchor": "end", class: "tick" }));
  }
  if (showsArena()) {
    const sum = stairs(all, p, y);
    nodes.push(svg("path", { class: "area dynamic", d: `${sum}L${p.right} ${bottom}H${p.left}Z` }), svg("path", { class: "live dynamic", id: "all", "data-live": all.join(" "), d: sum }));
  }
  const line = stairs(now, p, y);
  nodes.push(svg("path", { class: "area", d: `${line}L${p.right} ${bottom}H${p.left}Z` }));
  if (now.some((v, s) => v !== pool.live[s])) {
    nodes.push(svg("path", { class: "planned", d: stairs(pool.live, p, y) }));
  }
  nodes.push(svg("path", { class: "live", id: "live", "data-live": now.join(" "), "data-end": end, "data-top": top, "data-bottom": bottom, d: line }));
  const rule = (bytes, name, text, anchor) => {
    const at = Math.max(top, y(Number(bytes)));
    nodes.push(svg("line", { class: `rule ${name}`, x1: p.left, x2: p.right, y1: at, y2: at }));
    nodes.push(label(anchor === "end" ? p.right - 4 : p.left + 4, at - 4, text, { class: `rule-name ${name}`, "text-anchor": anchor }));
  };
  rule(pool.bound, "bound", `lower bound ${human(pool.bound)}`, "start");
  if (pool.height !== pool.bound) rule(pool.height, "height", `height ${human(pool.height)}`, "end");
  if (room !== null) rule(off ? BigInt(Math.floor(end)) : room, "capacity", off ? `capacity ${human(pool.capacity)}, above` : `capacity ${human(pool.capacity)}`, "end");
  if (state.selected >= 0 && data.buffers[state.selected].pool === state.pool) {
    nodes.push(...useBands(data.buffers[state.selected], p, top, bottom));
  }
  if (hoverStep >= state.from && hoverStep < state.to) {
    nodes.push(svg("rect", { class: "guide", x: p.x(hoverStep), y: top, width: Math.max(1, p.scale), height: bottom - top }));
  }
  nodes.push(...stepLabels(p, height - 6));
  curve.replaceChildren(...nodes);

  let peak = 0;
  now.forEach((v, s) => { if (v > now[peak]) peak = s; });
  const text = (s) => `step ${s} ${stepName(s)}: ${exact(now[s])} live${showsArena() ? `, ${human(all[s])} with the arena, typical` : ""}`;
  readout.textContent = stepCount === 0 ? "no steps" : hoverStep >= 0 && hoverStep < stepCount ? text(hoverStep) : `peak at ${text(peak)}`;
  curve.setAttribute("aria-label", `Live bytes of the static ${pool.scope} pool by step. ${stepCount > 0 ? "The peak is at " + text(peak) : ""}`);
}
painters.push(paintCurve);

// brush lets the pointer pick a range of steps in a plot: what it drags over is zoomed to,
// in the map with its addresses. click is called with the node under a pointer that did not
// move.
function brush(plotNode, tall, click) {
  let start = null;
  let mark = null;
  const at = (e) => {
    const box = plotNode.getBoundingClientRect();
    const s = plot(box.width).step(e.clientX - box.left);
    return { x: e.clientX, y: e.clientY - box.top, step: Math.max(state.from, Math.min(s, state.to - 1)), height: box.height, width: box.width };
  };
  const stop = () => {
    mark?.remove();
    start = mark = null;
  };
  const boxed = (a, b) => tall && Math.abs(a.y - b.y) > 24;
  plotNode.addEventListener("pointerdown", (e) => {
    if (e.button === 0 && e.pointerType !== "touch") start = at(e);
  });
  plotNode.addEventListener("pointermove", (e) => {
    const here = at(e);
    if (here.step !== hoverStep) {
      hoverStep = here.step;
      paintCurve();
    }
    if (!start || (Math.abs(here.x - start.x) < 6 && !boxed(here, start))) return;
    if (!mark) plotNode.setPointerCapture(e.pointerId);
    mark?.remove();
    const p = plot(here.width);
    const first = Math.min(here.step, start.step);
    const [y, height] = boxed(here, start) ? [Math.min(here.y, start.y), Math.abs(here.y - start.y)] : [0, here.height];
    mark = svg("rect", { class: "brush", x: p.x(first), width: (Math.max(here.step, start.step) + 1 - first) * p.scale, y, height });
    plotNode.append(mark);
  });
  plotNode.addEventListener("pointerup", (e) => {
    const dragged = mark !== null;
    const from = start;
    const here = at(e);
    stop();
    if (!dragged) {
      click(e.target);
      return;
    }
    const [low, high] = range();
    const address = (y) => Math.max(low, Math.min(high, low + ((here.height - mapBottom - y) / (here.height - mapTop - mapBottom)) * (high - low)));
    const tops = boxed(here, from) ? [address(Math.max(here.y, from.y)), address(Math.min(here.y, from.y))] : [];
    setZoom(Math.min(from.step, here.step), Math.max(from.step, here.step) + 1, ...tops);
  });
  plotNode.addEventListener("pointercancel", stop);
  plotNode.addEventListener("pointerleave", () => {
    hoverStep = -1;
    showTip(-1);
    paintCurve();
  });
  plotNode.addEventListener("dblclick", () => setZoom(0, stepCount));
}

const idOf = (node) => (node.dataset && node.dataset.id !== undefined ? Number(node.dataset.id) : -1);
brush(map, true, (node) => {
  const id = idOf(node);
  select(id === state.selected ? -1 : id);
});
brush(curve, false, () => {});
map.addEventListener("pointermove", (e) => showTip(idOf(e.target), e.clientX, e.clientY));
