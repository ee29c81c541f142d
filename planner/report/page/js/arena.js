// The dynamic device buffers, which lie in the arena.
// inArena are the dynamic device buffers that have memory of their own.
const inArena = data.buffers.filter((b) => !b.isStatic && b.pool === 0 && b.in_place < 0);
const arenaBytes = (b, sizes) => calc.align_up(sizes.bytes[b.id] ?? (b.proof === "none" ? 0n : b.max), data.arena.align);
// arenaKnown tells whether all dynamic buffers have a typical size.
const arenaKnown = (sizes) => data.buffers.every((b) => b.isStatic || sizes.bytes[b.id] !== null);

// arenaLive are the bytes of dynamic device buffers in use, by step.
function arenaLive(sizes) {
  const live = new Array(stepCount).fill(0n);
  for (const b of inArena) {
    const bytes = arenaBytes(b, sizes);
    for (let s = b.first; s < b.end; s++) live[s] += bytes;
  }
  return live;
}

// placeArena gives the dynamic device buffers offsets behind the static pool, for the map:
// in the order of time, each at the lowest place that is free. The device does it at run
// time, with the true sizes.
function placeArena(sizes) {
  const base = calc.align_up(data.pools[0].size, data.arena.align);
  const placed = [];
  for (const b of [...inArena].sort((x, y) => x.first - y.first || x.id - y.id)) {
    const bytes = arenaBytes(b, sizes);
    const others = placed.filter((o) => o.end > b.first).sort((x, y) => (x.offset < y.offset ? -1 : 1));
    b.offset = base;
    for (const o of others) {
      if (o.offset >= b.offset + bytes) break;
      b.offset = largest(b.offset, o.offset + o.bytes);
    }
    placed.push({ offset: b.offset, bytes, end: b.end });
  }
  for (const b of data.buffers) {
    if (!b.isStatic && b.in_place >= 0) b.offset = data.buffers[b.storage].offset;
  }
  return placed.reduce((top, o) => largest(top, o.offset + o.bytes), base);
}

