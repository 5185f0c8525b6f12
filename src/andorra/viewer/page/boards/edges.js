// dots: edges between dots. A position is the rows of edges, the boxes of each side and who moves.
import { s } from "../dom.js";
import { MARGIN, SIZE, frame, letters } from "./grid.js";

export const games = ["dots"];

export function read(game, position) {
  const [edges, x, o, side] = position.split(" ");
  const rows = edges.split("/").map((row) => [...row]);
  return { rows, boxes: { x: Number(x), o: Number(o) }, side, width: rows[0].length, height: (rows.length - 1) / 2 };
}

export const write = (model) =>
  [model.rows.map((row) => row.join("")).join("/"), model.boxes.x, model.boxes.o, model.side].join(" ");

const at = (index) => MARGIN + index * SIZE;
const isAcross = (row) => row % 2 === 0;

export function draw(model) {
  const said = `dots and boxes, ${model.width} columns and ${model.height} rows; x has ${model.boxes.x} boxes, o ${model.boxes.o}`;
  const svg = frame(model.width, model.height, said);
  for (const [c, r] of closed(model)) {
    svg.append(s("rect", { x: at(c), y: at(r), width: SIZE, height: SIZE, class: "closed" }));
  }
  const cells = new Map();
  model.rows.forEach((row, r) => row.forEach((edge, c) => {
    const cell = drawEdge(r, c, edge !== ".");
    svg.append(cell.node);
    cells.set(`${letters(c)}${r + 1}`, { ...cell, label: `${letters(c)}${r + 1}: ${edge === "." ? "open" : "drawn"}` });
  }));
  for (let r = 0; r <= model.height; r++) {
    for (let c = 0; c <= model.width; c++) svg.append(s("circle", { cx: at(c), cy: at(r), r: 5, class: "dot" }));
  }
  const under = at(model.height) + 24;
  svg.append(s("text", { x: at(model.width / 2), y: under, class: "coordinate" }, `x ${model.boxes.x} · o ${model.boxes.o}`));
  return { svg, cells };
}

// A wide area to click around a line: fingers are wider than edges.
function drawEdge(row, column, drawn) {
  const across = isAcross(row);
  const [x, y] = [at(column), at(across ? row / 2 : (row - 1) / 2)];
  const line = across ? `M${x + 9} ${y}h${SIZE - 18}` : `M${x} ${y + 9}v${SIZE - 18}`;
  const area = across
    ? { x: x + 9, y: y - 13, width: SIZE - 18, height: 26 }
    : { x: x - 13, y: y + 9, width: 26, height: SIZE - 18 };
  const node = s("g", {}, s("rect", { ...area, rx: 6, class: "cell slot" }), s("path", { d: line, class: drawn ? "drawn" : "open" }));
  return { node, x: area.x + area.width / 2, y: area.y + area.height / 2, size: 40 };
}

function closed(model) {
  const boxes = [];
  for (let r = 0; r < model.height; r++) {
    for (let c = 0; c < model.width; c++) {
      const around = [model.rows[2 * r][c], model.rows[2 * r + 2][c], model.rows[2 * r + 1][c], model.rows[2 * r + 1][c + 1]];
      if (!around.includes(".")) boxes.push([c, r]);
    }
  }
  return boxes;
}

export const steps = (move) => [move];

export const palette = () => [["-", "edge"], [".", "nothing"]];
export const sides = () => [["x", "x moves"], ["o", "o moves"]];

function index(cell) {
  const [, column, row] = /^([a-z]+)(\d+)$/.exec(cell);
  return [Number(row) - 1, column.charCodeAt(0) - 97];
}

export function put(model, cell, piece) {
  const [row, column] = index(cell);
  model.rows[row][column] = piece === "." ? "." : isAcross(row) ? "-" : "|";
  countBoxes(model);
}

export function take(model, cell) {
  const [row, column] = index(cell);
  const drawn = model.rows[row][column] !== ".";
  put(model, cell, ".");
  return drawn ? "-" : null;
}

// As many boxes are owned as are closed: new ones go to who moves, lost ones are taken from either.
function countBoxes(model) {
  const { boxes } = model;
  let more = closed(model).length - boxes.x - boxes.o;
  if (more > 0) boxes[model.side] += more;
  for (; more < 0; more++) boxes[boxes.o > 0 ? "o" : "x"] -= 1;
}
