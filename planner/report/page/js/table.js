// Tables that sort. A column gives the value of a row, by which it sorts, and its text; a
// live column is asked again when a value of a parameter changes.
const column = (title, value, more) => ({ title, value, text: (r) => String(value(r)), ...more });
const figures = (title, value, more) => column(title, value, { number: true, text: (r) => bytesText(value(r)), ...more });

function table(id, title, note, columns, rows) {
  const body = el("tbody");
  const lines = rows.map((row, i) => {
    const cells = columns.map((c) => {
      const cell = c.head ? el("th", { scope: "row" }) : el("td", { class: c.number ? "number" : c.kind });
      cell.append(c.cell ? c.cell(row) : c.text(row));
      return cell;
    });
    const line = { row, cells, i, node: el("tr", {}, cells) };
    body.append(line.node);
    return line;
  });
  let by = -1;
  let down = false;
  const compare = (a, b) => (a === null ? (b === null ? 0 : -1) : b === null ? 1 : a < b ? -1 : a > b ? 1 : 0);
  const order = () => {
    if (by < 0) return;
    const value = columns[by].value;
    lines.sort((a, b) => (down ? -1 : 1) * compare(value(a.row), value(b.row)) || a.i - b.i);
    body.append(...lines.map((l) => l.node));
  };
  const heads = columns.map((c, i) => el("th", { scope: "col", "aria-sort": "none", class: c.number ? "number" : null },
    button(c.title, {}, () => {
      down = by === i ? !down : Boolean(c.number);
      by = i;
      heads.forEach((h, k) => h.setAttribute("aria-sort", k !== i ? "none" : down ? "descending" : "ascending"));
      order();
    })));
  let drawn = -1;
  painters.push(() => {
    if (drawn === version || !columns.some((c) => c.live)) return;
    drawn = version;
    for (const line of lines) {
      columns.forEach((c, i) => {
        if (c.live && c.text(line.row) !== line.cells[i].textContent) line.cells[i].textContent = c.text(line.row);
      });
    }
    if (by >= 0 && columns[by].live) order();
  });
  const node = el("table", { id }, caption(title, note), el("thead", {}, el("tr", {}, heads)), body);
  return { box: scrolling(title, node), lines };
}

const caption = (title, note) => el("caption", {}, title, note ? el("small", {}, " ", note) : null);
// scrolling is a table that is scrolled where it has no room, by keyboard too.
const scrolling = (title, node) => el("section", { class: "table" }, el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": title }, node));
