// Exact arithmetic on sizes, which are BigInt in [0, 2^64). An operation that has no
// such result throws a RangeError that says why; nothing is ever wrapped.
const seqplanChecked = Object.freeze((() => {
  const most = (1n << 64n) - 1n;
  const fail = (why) => { throw new RangeError(why); };
  const keep = (v) => (v > most ? fail("value leaves uint64") : v);
  const divisor = (b) => (b === 0n ? fail("division by zero") : b);
  return {
    add: (a, b) => keep(a + b),
    sub: (a, b) => (a < b ? fail("result is negative") : a - b),
    mul: (a, b) => keep(a * b),
    div: (a, b) => a / divisor(b),
    mod: (a, b) => a % divisor(b),
    ceil_div: (a, b) => (a + divisor(b) - 1n) / b,
    align_up: (a, b) => keep((a + divisor(b) - 1n) / b * b),
    min: (a, b) => (a < b ? a : b),
    max: (a, b) => (a > b ? a : b),
  };
})());
