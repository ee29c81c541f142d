// Elements without markup: every text goes through textContent.
function fill(node, attributes, children) {
  for (const [key, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
    else node.setAttribute(key, value === true ? "" : value);
  }
  for (const child of children.flat(Infinity)) {
    if (child !== null && child !== undefined) node.append(child);
  }
  return node;
}
const el = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);
const svg = (tag, attributes, ...children) => fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
// named is a name from a file: it does not turn the direction of the text around it.
const named = (text) => el("bdi", {}, text);
const button = (content, attributes, act) => el("button", { type: "button", ...attributes, onclick: act }, content);

// put sets an attribute only if it changes: a thousand shapes are drawn at each redraw.
function put(node, key, value) {
  node.known = node.known || {};
  if (node.known[key] === value) return;
  node.known[key] = value;
  node.setAttribute(key, value);
}
