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

// byteAxis draws the marks of the vertical axis.
function byteAxis(p, y, low, high, most) {
  return ticks(low, high, most).flatMap((at) => [
    svg("line", { class: "grid", x1: p.left, x2: p.right, y1: y(at), y2: y(at) }),
    label(p.left - 6, y(at) + 4, human(BigInt(at)).replace(".0 ", " "), { "text-anchor": "end", class: "tick" }),
  ]);
}

function label(x, y, text, attributes) {
  const node = svg("text", { x, y, ...attributes });
  node.textContent = text;
  return node;
}

// stepAxis are labels below a plot, as many as there is room for.
function stepAxis(p, y) {
  const every = Math.max(1, Math.ceil(36 / p.scale));
  const nice = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000].find((n) => n >= every) || every;
  const out = [];
  for (let s = Math.ceil(state.from / nice) * nice; s < state.to; s += nice) {
    out.push(label(p.x(s) + p.scale / 2, y, String(s), { "text-anchor": "middle", class: "tick" }));
  }
  return out;
}

// useBands mark the steps that write and read a buffer.
function useBands(b, p, top, bottom) {
  const out = [];
  const band = (s, role) => {
    if (s < state.from || s >= state.to) return;
    out.push(svg("rect", { class: `band ${role}`, "data-step": s, x: p.x(s), width: Math.max(1.5, p.scale), y: top, height: bottom - top }));
    const middle = p.x(s) + p.scale / 2;
    out.push(svg("path", { class: `flag ${role}`, d: `M${middle - 5} ${top - 9}h10l-5 8z` }));
  };
  for (const s of b.readers) band(s, "reader");
  if (b.step >= 0) band(b.step, "producer");
  return out;
}
