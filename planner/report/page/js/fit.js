// Texts that stay within their room, by the widths of the font that is really used.
const ruler = document.createElement("canvas").getContext("2d");
ruler.font = `11px ${getComputedStyle(document.body).fontFamily}`;
const widths = new Map();
function widthOf(text) {
  if (!widths.has(text)) widths.set(text, ruler.measureText(text).width);
  return widths.get(text);
}

// clipped cuts a text to a number of pixels; "" is what has no room for three characters.
function clipped(text, room) {
  const letters = Array.from(text.slice(0, 400));
  const cut = (n) => (n < letters.length || text.length > 400 ? `${letters.slice(0, n).join("")}…` : text);
  let low = 0;
  let high = letters.length;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (widthOf(cut(middle)) <= room) low = middle;
    else high = middle - 1;
  }
  return low < Math.min(3, letters.length) ? "" : cut(low);
}

