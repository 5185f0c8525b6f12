// Elements in one expression: h("button", { class: "main", onclick: go }, "Start").

const SVG = "http://www.w3.org/2000/svg";

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

export function h(tag, attributes, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

export function s(tag, attributes, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

export function replace(host, ...children) {
  host.replaceChildren(...children.flat(Infinity).filter(Boolean));
}

// A labelled control; the help, if any, is read out with it.
let count = 0;
export function field(label, control, help) {
  const id = `field-${++count}`;
  control.id = id;
  const described = help ? h("small", { id: `${id}-help` }, help) : null;
  if (described) control.setAttribute("aria-describedby", described.id);
  return h("div", { class: "field" }, h("label", { for: id }, label), control, described);
}

export function choice(values, chosen, onchange) {
  const options = values.map(([value, text]) => h("option", { value, selected: value === chosen }, text));
  return h("select", { onchange: (event) => onchange?.(event.target.value) }, options);
}

export function save(name, text, type) {
  const link = h("a", { href: URL.createObjectURL(new Blob([text], { type })), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
