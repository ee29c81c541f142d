// The steps and the addresses that are shown.
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

// inView tells whether something of a buffer is among the steps and the addresses shown.
function inView(b) {
  if (b.end <= state.from || b.first >= state.to) return false;
  return state.high === null || (Number(b.offset) < state.high && Number(b.offset + b.max) > state.low);
}

// range is the addresses that the map shows.
function range() {
  if (state.high !== null) return [state.low, state.high];
  const pool = data.pools[state.pool];
  if (state.from === 0 && state.to === stepCount) return [0, Number(showsArena() ? arenaEnd : pool.reserved + pool.height)];
  let high = 0n;
  for (const b of data.buffers) {
    if (inMap(b) && b.first < state.to && b.own > state.from) high = largest(high, b.offset + (b.isStatic ? b.max : arenaBytes(b, sizes)));
  }
  return [0, Number(high)];
}
