// The pointer in the plots.

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
