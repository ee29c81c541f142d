// What the page says about a pool and a buffer.
const stepName = (s) => (s < 0 ? "input" : s >= stepCount ? "end" : data.steps[s].name);
const formulaOf = (b) => `${b.elem} B * (${b.count})`;
// stepsOf is the life of a buffer in words, with the last step instead of the end.
const stepsOf = (b) => (b.end - b.first <= 1 ? `step ${b.first}` : `steps ${b.first} to ${b.end - 1}`);

const certificate = (pool) => (pool.optimal ? "proven optimal" : `${pool.gap.toFixed(2)} % above the lower bound`);
const boundBy = (pool) => (pool.bound_by ? `, by ${pool.bound_by}` : "") + (pool.bound_of ? `: the end of ${pool.bound_of}` : "");
// peakOf is what the lower bound of a pool is of: no step has all of its buffers where
// only a missing order lets them be in use together.
const peakOf = (pool) => (pool.order ? `${plural(pool.at_peak.length, "buffer")} that may be in use together, in no order`
  : `step ${pool.peak} ${shortened(stepName(pool.peak), 80)}, ${plural(pool.at_peak.length, "buffer")} alive`);

const reasons = {
  view: "a view of it is used", barrier: "kept by a barrier", count: "a count in it is read", output: "read back", keep: "kept between batches",
  in_place: "its storage is taken over", no_reuse: "no reuse in its scope", in_flight: "the host does not wait",
};
const place = (b) => (b.isStatic ? `[${b.offset}, ${b.offset + b.max})` : `placed by the device, slot ${b.slot}`);
