// The legend: the groups of the colours, those with most bytes first. One that is pressed
// is highlighted in the map.
const fewGroups = 12;

function legend() {
  const list = el("span", { class: "groups" });
  let all = false;
  const more = button("", { class: "link" }, () => {
    all = !all;
    redraw();
  });
  let drawn = "";
  painters.push(() => {
    const now = [state.colour, state.pool, showsArena(), version, all, state.group].join(" ");
    if (drawn === now) return;
    drawn = now;
    const groups = [...groupsInMap()];
    const pressed = list.contains(document.activeElement) ? document.activeElement.dataset.group : null;
    list.replaceChildren(...(all ? groups : groups.slice(0, fewGroups)).map(([group, bytes]) => chip(group, bytes)));
    more.hidden = groups.length <= fewGroups;
    more.textContent = all ? "fewer" : `and ${groups.length - fewGroups} more`;
    more.setAttribute("aria-expanded", String(all));
    if (pressed !== null) [...list.children].find((c) => c.dataset.group === pressed)?.focus();
  });
  return el("div", { class: "legend", role: "group", "aria-label": "Colours: press one to highlight its buffers" }, list, more);
}

function groupsInMap() {
  const bytes = new Map();
  for (const b of data.buffers.filter(inMap)) {
    const group = grouping().of(b);
    bytes.set(group, (bytes.get(group) ?? 0n) + (sizes.bytes[b.id] ?? 0n));
  }
  return [...bytes].sort((a, b) => (b[1] > a[1] ? 1 : b[1] < a[1] ? -1 : 0));
}

function chip(group, bytes) {
  const act = () => {
    state.group = state.group === group ? null : group;
    state.selected = -1;
    redraw();
  };
  return button([swatch(grouping().look(group)), el("span", {}, named(shortened(grouping().name(group), 80)), ` ${human(bytes)}`)], { class: "chip", "aria-pressed": String(state.group === group), "data-group": group }, act);
}
