// What boards of square cells share: names of cells, the frame and the coordinates.
import { s } from "../dom.js";

export const SIZE = 60;
export const MARGIN = 30;

export function letters(column) {
  const high = Math.floor(column / 26);
  return (high ? letters(high - 1) : "") + String.fromCharCode(97 + (column % 26));
}

export function frame(width, height, label) {
  const box = [0, 0, width * SIZE + 2 * MARGIN, height * SIZE + 2 * MARGIN];
  const svg = s("svg", { viewBox: box.join(" "), class: "board", role: "group", "aria-label": label });
  svg.style.maxWidth = `${Math.min(500, 1.4 * box[2])}px`; // a board of few cells is no poster
  return svg;
}

export function square(column, row, className) {
  return s("rect", { x: MARGIN + column * SIZE, y: MARGIN + row * SIZE, width: SIZE, height: SIZE, class: className });
}

export const middle = (index) => MARGIN + index * SIZE + SIZE / 2;

export function coordinates(svg, columns, rows, height = rows.length) {
  const bottom = MARGIN + height * SIZE + 20;
  columns.forEach((name, i) => svg.append(s("text", { x: middle(i), y: bottom, class: "coordinate" }, name)));
  rows.forEach((name, i) => svg.append(s("text", { x: MARGIN - 14, y: middle(i) + 5, class: "coordinate" }, name)));
}

export function disc(x, y, stone, radius = 22) {
  const side = stone === "x" ? "first" : "second";
  const group = s("g", { class: `stone ${side}` }, s("circle", { cx: x, cy: y, r: radius }));
  // A second sign beside the colour: x has a cross, o a ring.
  if (stone === "x") group.append(s("path", { d: `M${x - 6} ${y - 6}l12 12m0 -12l-12 12`, class: "sign" }));
  else group.append(s("circle", { cx: x, cy: y, r: 7, class: "sign" }));
  return group;
}

const NAMES = { x: "x", o: "o", ".": "empty" };
export const stoneName = (stone) => NAMES[stone];

export const STONES = [["x", "x"], ["o", "o"], [".", "nothing"]];

export function putAt(model, [row, column], piece) {
  model.rows[row][column] = piece;
}

export function takeAt(model, [row, column]) {
  const piece = model.rows[row][column];
  model.rows[row][column] = ".";
  return piece === "." ? null : piece;
}
