// What follows from the data at given values of the parameters.
const calc = seqplanChecked;

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
  // A batch never has more than the max of a count.
  const count = (i) => once(counts, i, () => {
    const typical = run(data.counts[i].formula);
    const most = data.counts[i].most < 0 ? null : orNull(() => run(data.counts[i].most));
    return most === null ? typical : least(typical, most);
  });
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

