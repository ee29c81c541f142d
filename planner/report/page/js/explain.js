// What a buffer is for the memory that it is in, and what would make that smaller.
const stepTitle = (s) => `step ${s} ${shortened(stepName(s), 80)}`;
const atPeak = (alive, bytes, all, step) => `${alive ? `yes: ${exact(bytes)} of the ${exact(all)} in use` : `no: most, ${exact(all)}, is in use`} at ${stepTitle(step)}`;

// standing says whether a buffer is where most is in use, and in what bounds its pool.
function standing(b) {
  const { shrink, shares } = b.explained;
  if (!shrink) {
    return (shares || []).flatMap((s) => [
      [`share, ${s.basis}`, `${exact(s.bytes)} of ${exact(s.sum)}, the sum of ${b.pool === 0 ? "the arena" : "the dynamic host buffers"} (${s.percent.toFixed(1)} %)`],
      ...(s.peak ? [["at the peak", atPeak(s.peak.alive, s.bytes, s.peak.bytes, s.peak.step)]] : []),
    ]);
  }
  const pool = data.pools[b.pool];
  const step = highestOf(pool.live);
  const out = [["at the peak", atPeak(shrink.at_peak > 0n, shrink.at_peak, pool.live[step], step)]];
  const is = shrink.in_bound ? "yes: it is" : "no: it is not";
  if (pool.order) out.push(["in the bound", `${is} one of the ${peakOf(pool)}, ${exact(pool.peak_bytes)}`]);
  else if (pool.bound_of) out.push(["in the bound", shrink.in_bound ? "yes: the pool reaches to its end" : `no: the pool reaches to the end of ${pool.bound_of}`]);
  else if (pool.bound_by) out.push(["in the bound", `unknown: the pool is higher than what lives at one step, by ${pool.bound_by}`]);
  return out;
}

// shrinking lists what would make smaller what a buffer is in.
function shrinking(b) {
  const { shrink, shares, apart, from } = b.explained;
  const out = [];
  const list = (what, items) => out.push(el("h3", {}, "What would shrink ", what), el("ul", { class: "shrink" }, items.map((text) => el("li", {}, named(text)))));
  if (shares) list(b.pool === 0 ? "the arena" : "the dynamic host memory", shares.map((s) => arenaFalls(b, s)));
  if (shrink) {
    const pool = data.pools[b.pool];
    const falls = (bytes) => `by ${bytes > 0n ? `at most ${exact(bytes)}` : "nothing"}`;
    const use = (u) => `the use by ${stepTitle(u.step)} (${reasons[u.why] || u.why}${u.of ? `: ${shortened(u.of, 80)}` : ""})`;
    list(`the ${pool.scope} pool, of ${human(pool.height)}`, [`${falls(shrink.most)} without the buffer`,
      ...(shrink.sooner || []).map((s) => `${falls(s.most)} if it lived to step ${s.end - 1}, without ${s.dropped.map(use).join(", ")}`)]);
    out.push(el("p", {}, el("small", {}, "At most, by the lower bounds: seqplan explain packs again and says more.")));
  }
  if (apart) out.push(el("h3", {}, `Kept apart from ${plural(apart, "buffer")}`), el("p", {}, "only because nothing puts one before the other; what they could share:"), aliveList(from, apart));
  return out;
}

// arenaFalls says what falls if a dynamic buffer is smaller.
function arenaFalls(b, s) {
  const who = s.storage === b.id ? "it" : `${shortened(data.buffers[s.storage].name, 80)}, whose storage it takes over,`;
  const sum = `${s.basis}: the sum by each byte that ${who} is smaller, up to ${exact(s.bytes)}`;
  if (!s.peak) return sum;
  const { without, alive, next } = s.peak;
  const peak = without === 0n ? `by nothing${alive ? `: ${stepTitle(next)} has as much` : ""}`
    : without < s.bytes ? `by at most ${exact(without)}: then ${stepTitle(next)} has most` : "by as much";
  return `${sum}; the peak ${peak}`;
}
