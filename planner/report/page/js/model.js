// The data, and what follows from it at given values of the parameters. Every number of
// bytes is a BigInt.
const data = JSON.parse(document.getElementById("data").textContent);
const calc = seqplanChecked;
const stepCount = data.steps.length;
for (const p of data.params) {
  p.min = BigInt(p.min);
  p.max = BigInt(p.max);
}
for (const p of data.pools) {
  for (const key of ["round", "reserved", "size", "height", "bound", "sum"]) p[key] = BigInt(p[key]);
  p.capacity = p.capacity === undefined ? null : BigInt(p.capacity);
  p.live = p.live.map(BigInt);
}
data.buffers.forEach((b, id) => {
  b.id = id;
  b.pool = b.scope === "host" ? 1 : 0;
  for (const key of ["elem", "align", "max", "offset"]) b[key] = BigInt(b[key]);
  b.typical = b.typical === undefined ? null : BigInt(b.typical);
  b.isStatic = b.class === "static";
  b.storage = b.in_place >= 0 ? data.buffers[b.in_place].storage : id;
  b.short = b.name.slice(b.name.lastIndexOf(".") + 1);
  b.readers = [...new Set(b.uses.filter((u) => u.why === "read").map((u) => u.step))];
  for (const l of b.lent || []) {
    l.low = BigInt(l.low);
    l.high = BigInt(l.high);
  }
});
data.arena.align = BigInt(data.arena.align);
for (const c of data.counts) {
  for (const key of ["max", "typical"]) c[key] = c[key] === undefined ? null : BigInt(c[key]);
  c.bytes = BigInt(c.bytes);
}

const least = (a, b) => (a < b ? a : b);
const largest = (a, b) => (a > b ? a : b);

// evaluate returns the sizes at the values of the parameters: of a static buffer by its
// formula, of a dynamic one with every count typical. It is null where there is none.
function evaluate(params) {
  const elements = new Map();
  const counts = new Map();
  const once = (known, key, make) => {
    if (!known.has(key)) known.set(key, make());
    return known.get(key);
  };
  const run = (f) => {
    if (f < 0) throw new RangeError("no typical value");
    return seqplanFormulas[f](calc, params, count, of);
  };
  const count = (i) => once(counts, i, () => run(data.counts[i].formula));
  const of = (i) => once(elements, i, () => run(data.buffers[i].formula));
  const orNull = (make) => {
    try {
      return make();
    } catch (e) {
      // Some browsers call a full stack a RangeError too.
      if (!(e instanceof RangeError) || e.message.includes("stack")) throw e;
      return null;
    }
  };
  return {
    bytes: data.buffers.map((b) => orNull(() => calc.mul(of(b.id), b.elem))),
    counts: data.counts.map((c, i) => orNull(() => count(i))),
    left: (b, l) => orNull(() => calc.mul(run(l.formula), b.elem)),
  };
}

// partsOf divides the life of a buffer where the bytes change that it has in use,
// up to the step at which another buffer gets its storage.
function partsOf(b, sizes) {
  const round = b.isStatic ? data.pools[b.pool].round : data.arena.align;
  const size = calc.align_up(sizes.bytes[b.id] ?? b.max, round);
  const out = [];
  const add = (first, end, low, high) => {
    first = Math.max(first, b.first);
    end = Math.min(end, b.own);
    if (first < end && low < high) out.push({ first, end, low, high });
  };
  let at = b.first;
  for (const l of b.lent || []) {
    add(at, l.first, 0n, size);
    let high = least(l.high, size);
    const left = l.formula >= 0 ? sizes.left(b, l) : null;
    if (left !== null) high = least(high, calc.align_up(left, round));
    add(l.first, l.end, l.low, high);
    at = Math.max(at, l.end);
  }
  add(at, b.own, 0n, size);
  return out;
}

// liveBytes are the bytes of static storage of a pool in use, by step. Of the buffers in
// one storage the largest counts.
function liveBytes(pool, sizes) {
  const storages = new Map();
  for (const b of data.buffers) {
    if (!b.isStatic || b.pool !== pool) continue;
    if (!storages.has(b.storage)) storages.set(b.storage, []);
    storages.get(b.storage).push(b);
  }
  const live = new Array(stepCount).fill(0n);
  for (const list of storages.values()) {
    const own = new Map();
    for (const b of list) {
      for (const t of partsOf(b, sizes)) {
        for (let s = t.first; s < t.end; s++) own.set(s, largest(own.get(s) ?? 0n, t.high - t.low));
      }
    }
    for (const [s, bytes] of own) live[s] += bytes;
  }
  return live;
}

// inArena are the dynamic device buffers that have memory of their own.
const inArena = data.buffers.filter((b) => !b.isStatic && b.pool === 0 && b.in_place < 0);
const arenaBytes = (b, sizes) => calc.align_up(sizes.bytes[b.id] ?? (b.proof === "none" ? 0n : b.max), data.arena.align);

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

// human is a number of bytes in the largest binary unit, with one digit behind the point
// and a half rounded to even.
function human(bytes) {
  if (bytes === null) return "unknown";
  if (bytes < 1024n) return `${bytes} B`;
  const units = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
  let value = Number(bytes) / 1024;
  let unit = 0;
  for (; value >= 1023.95 && unit < units.length - 1; unit++) value /= 1024;
  const text = value % 1 === 0.25 ? `${Math.floor(value)}.2` : value.toFixed(1);
  return `${text} ${units[unit]}`;
}

const exact = (bytes) => (bytes === null || bytes < 1024n ? human(bytes) : `${bytes} B (${human(bytes)})`);
const plural = (n, noun) => `${n} ${noun}${n === 1 ? "" : "s"}`;
const stepName = (s) => (s < 0 ? "input" : s >= stepCount ? "end" : data.steps[s].name);
const formulaOf = (b) => `${b.elem} B * (${b.count})`;
// stepsOf is the life of a buffer in words, with the last step instead of the end.
const stepsOf = (b) => (b.end - b.first <= 1 ? `step ${b.first}` : `steps ${b.first} to ${b.end - 1}`);
