// Numbers in words.

// human is a number of bytes in the largest binary unit, with one digit behind the point
// and a half rounded to even.
function human(bytes) {
  if (bytes === null) return "unknown";
  if (bytes < 1024n) return `${bytes} B`;
  const units = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
  let value = Number(bytes) / 1024;
  let unit = 0;
  for (; value >= 1023.95 && unit < units.length - 1; unit++) value /= 1024;
  const text = value % 1 === 0.25 ? `${Math.floor(value)}.2` : value.toFixed(1);
  return `${text} ${units[unit]}`;
}

const exact = (bytes) => (bytes === null || bytes < 1024n ? human(bytes) : `${bytes} B (${human(bytes)})`);
const bytesText = (v) => (v === null ? "unknown" : String(v));
const signed = (text) => (change) => (change === null ? "unknown" : change === 0n ? text(0n) : change > 0n ? `+${text(change)}` : `-${text(-change)}`);
const plural = (n, noun) => `${n} ${noun}${n === 1 ? "" : "s"}`;
// shortened cuts a text to a number of characters.
const shortened = (text, most) => (text.length > most ? `${Array.from(text.slice(0, most)).slice(0, -1).join("")}…` : text);
