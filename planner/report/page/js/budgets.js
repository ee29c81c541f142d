// How the budgets of the file stand.
function budgetBox() {
  const over = data.budgets.filter((b) => b.over !== null).length;
  const unknown = data.budgets.filter((b) => b.fault).length;
  const words = [over > 0 ? `${over} of ${data.budgets.length} exceeded` : "", unknown > 0 ? `${unknown} unknown` : ""].filter(Boolean).join(", ");
  const list = (budgets) => el("ul", { class: "budgets" }, budgets.map(budget));
  const holds = (b) => b.over === null && !b.fault;
  const urgent = (b) => (b.over !== null ? 0 : b.fault ? 1 : 2);
  const order = [...data.budgets].sort((a, b) => urgent(a) - urgent(b));
  const calm = data.budgets.filter(holds);
  const folded = calm.length > 6;
  return el("section", { class: "standing", id: "budgets" },
    el("h2", {}, `Budgets: ${words || "all hold"}`, el("small", {}, " at the largest values of the parameters")),
    list(order.filter((b) => !folded || !holds(b))),
    folded ? el("details", {}, el("summary", {}, `${calm.length} hold`), list(calm)) : null);
}

function budget(b) {
  const verdict = b.fault ? "unknown" : b.over !== null ? "exceeded" : "holds";
  const title = el("p", {}, el("strong", { class: "verdict" }, { unknown: "? ", exceeded: "✗ ", holds: "✓ " }[verdict], verdict), " ", el("strong", {}, named(b.name)),
    el("small", {}, " line ", String(b.line), ": ", el("code", {}, b.text)));
  if (b.fault) return el("li", { class: verdict }, title, el("p", {}, b.fault));
  const left = b.over !== null ? `exceeded by ${exact(b.over)}` : `${exact(b.limit - b.used)} left`;
  const figures = el("p", {}, `${exact(b.used)} used${b.basis ? `, ${b.basis}` : ""}, limit ${exact(b.limit)}: `, el("strong", {}, left));
  return el("li", { class: verdict }, title, bar(b), figures, b.over !== null ? causes(b) : null);
}

// bar shows what is used beside the limit; the text says it too.
function bar(b) {
  const end = Number(largest(largest(b.used, b.limit), 1n));
  const at = (bytes) => Number(bytes) / end * 100;
  return el("div", { class: "bar", "aria-hidden": "true" }, svg("svg", { viewBox: "0 0 100 8", preserveAspectRatio: "none" },
    svg("rect", { class: "used", width: at(least(b.used, b.limit)), height: 8 }),
    b.over === null ? null : svg("rect", { class: "over", x: at(b.limit), width: at(b.over), height: 8 })));
}

function causes(b) {
  return el("details", { open: true }, el("summary", {}, "What takes most, and ways back"), el("div", { class: "causes" },
    el("div", {}, b.culprits ? aliveList(b.culprits, b.buffers) : null),
    el("div", {},
      (b.notes || []).map((g) => [`${g.label[0].toUpperCase()}${g.label.slice(1)}:`,
        el("ul", {}, g.notes.map((n) => el("li", {}, named(n.text), n.line ? el("small", {}, ` line ${n.line}`) : null)))]))));
}
