// A board as an SVG file that looks the same without the page's style sheets.
import { save } from "./dom.js";

const KEPT = ["fill", "stroke", "stroke-width", "stroke-linecap", "stroke-dasharray", "opacity", "font-family", "font-size", "font-weight", "text-anchor", "display"];

export function savePicture(svg, name) {
  if (!(svg instanceof SVGElement)) {
    save(`${name}.txt`, svg.textContent, "text/plain");
    return;
  }
  save(`${name}.svg`, alone(svg), "image/svg+xml");
}

export function alone(svg) {
  const copy = svg.cloneNode(true);
  const originals = [svg, ...svg.querySelectorAll("*")];
  [copy, ...copy.querySelectorAll("*")].forEach((element, i) => {
    const style = getComputedStyle(originals[i]);
    for (const property of KEPT) element.setAttribute(property, style.getPropertyValue(property));
    for (const attribute of ["class", "role", "tabindex", "aria-label"]) element.removeAttribute(attribute);
  });
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  return new XMLSerializer().serializeToString(copy);
}
