// The map by keyboard.

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
  if (!inView(next)) {
    const span = state.to - state.from;
    const from = next.end <= state.from || next.first >= state.to ? Math.min(next.first, stepCount - span) : state.from;
    setZoom(from, from + span);
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
