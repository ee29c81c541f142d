// The short form of the details, at the pointer.
const tip = el("div", { class: "tip", role: "tooltip", id: "tip", hidden: true });

function showTip(id, x, y) {
  tip.hidden = id < 0;
  if (id < 0) return;
  const b = data.buffers[id];
  tip.replaceChildren(
    el("strong", {}, named(shortened(b.name, 200))),
    el("span", {}, exact(sizes.bytes[id])),
    el("span", {}, `${b.class}, ${b.kind}, ${stepsOf(b)}`),
    el("span", {}, place(b)),
    el("code", {}, shortened(formulaOf(b), 300)));
  const box = tip.getBoundingClientRect();
  tip.style.left = `${Math.max(4, Math.min(x + 14, innerWidth - box.width - 8))}px`;
  tip.style.top = `${y + 18 + box.height > innerHeight ? Math.max(4, y - box.height - 12) : y + 18}px`;
}
