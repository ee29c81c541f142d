// How buffers look: a tone, of which any two stay apart for most kinds of colour blindness,
// and a texture, so that there are four times as many looks as tones. Inputs are grey.
const tones = 12;
const textures = [null, "M-2 2L2 -2M0 8L8 0M6 10L10 6", "M2 2h.01M6 6h.01", "M0 0L8 8M0 8L8 0"];
const look = (tone, texture = 0) => ({ tone, texture });
const nameOfLook = ({ tone, texture }) => `${tone}-${texture}`;
const fillOf = ({ tone }) => (tone < 0 ? "var(--grey)" : `var(--tone-${tone})`);
const edgeOf = (l) => `color-mix(in oklab, ${fillOf(l)} 50%, var(--ink))`;

// patterns are the textures, which lie over the tones. Map and legend share them.
const patterns = svg("defs", {}, textures.slice(1).map((d, i) => svg("pattern", { id: `texture-${i + 1}`, width: 8, height: 8, patternUnits: "userSpaceOnUse" },
  svg("path", { class: `texture${i === 1 ? " dots" : ""}`, d }))));
const textureOf = (texture) => `url(#texture-${texture})`;

// swatch shows a look beside a text.
const swatch = (l) => svg("svg", { class: "swatch", viewBox: "0 0 14 14", "aria-hidden": "true", "data-look": nameOfLook(l) },
  [fillOf(l), ...(l.texture ? [textureOf(l.texture)] : [])].map((paint) => svg("rect", { x: 0.5, y: 0.5, width: 13, height: 13, rx: 3, fill: paint, stroke: edgeOf(l) })));

// neighbours returns by algorithm the algorithms with a buffer that touches one of its own
// in a map, or is less than about a pixel away.
function neighbours() {
  const boxes = data.buffers.filter((b) => b.step >= 0 && (b.isStatic || b.pool === 0)).map((b) => {
    const low = Number(b.offset);
    return { step: b.step, pool: b.pool, first: b.first, end: b.end, low, high: low + Number(b.isStatic ? b.max : arenaBytes(b, sizes)) };
  });
  const pixel = [Number(arenaEnd), ...data.pools.slice(1).map((p) => Number(p.size))].map((n) => n / 400);
  const out = new Map(boxes.map((b) => [b.step, new Set()]));
  boxes.sort((a, b) => a.first - b.first);
  boxes.forEach((a, i) => {
    for (let k = i + 1; k < boxes.length && boxes[k].first <= a.end; k++) {
      const b = boxes[k];
      const gap = pixel[a.pool];
      if (a.step === b.step || a.pool !== b.pool || a.low > b.high + gap || b.low > a.high + gap) continue;
      out.get(a.step).add(b.step);
      out.get(b.step).add(a.step);
    }
  });
  return out;
}

// algorithmLooks gives each algorithm a look, those with most bytes first. It is the next
// one in turns whose tone no neighbour has, or else whose look none has.
function algorithmLooks() {
  const share = new Map();
  for (const b of data.buffers) share.set(b.step, (share.get(b.step) || 0) + Number(b.max) / Number(largest(1n, data.pools[b.pool].size)));
  const near = neighbours();
  const out = new Map([[-1, look(-1)]]);
  const order = [...share.keys()].filter((s) => s >= 0).sort((a, b) => share.get(b) - share.get(a) || a - b);
  order.forEach((step, rank) => {
    const taken = [...(near.get(step) || [])].map((s) => out.get(s)).filter(Boolean);
    const turns = Array.from({ length: tones * textures.length }, (_, i) => (rank + i) % (tones * textures.length))
      .map((n) => look(n % tones, Math.floor(n / tones)));
    out.set(step, turns.find((l) => taken.every((t) => t.tone !== l.tone)) ||
      turns.find((l) => taken.every((t) => nameOfLook(t) !== nameOfLook(l))) || turns[0]);
  });
  return out;
}
