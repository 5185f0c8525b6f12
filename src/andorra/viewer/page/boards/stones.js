// mnk, connect4 and hex: stones that stay. A position is the board, rows from the top.
import { s } from "../dom.js";
import { MARGIN, SIZE, STONES, coordinates, disc, frame, letters, middle, putAt, square, stoneName, takeAt } from "./grid.js";

export const games = ["mnk", "connect4", "hex"];

export function read(game, position) {
  const rows = position.split("/").map((row) => [...row]);
  return { kind: game.split(":")[0], rows, width: rows[0].length, height: rows.length };
}

export const write = (model) => model.rows.map((row) => row.join("")).join("/");

export function draw(model) {
  if (model.kind === "hex") return drawHex(model);
  return model.kind === "connect4" ? drawStanding(model) : drawFlat(model);
}

const name = (column, row) => `${letters(column)}${row + 1}`;

function each(model, visit) {
  model.rows.forEach((row, r) => row.forEach((stone, c) => visit(stone, c, r)));
}

function drawFlat(model) {
  const svg = frame(model.width, model.height, `a board of ${model.width} columns and ${model.height} rows`);
  const cells = new Map();
  each(model, (stone, c, r) => {
    const id = name(c, r);
    const node = s("g", {}, square(c, r, "cell"));
    if (stone === "x") node.append(cross(middle(c), middle(r)));
    if (stone === "o") node.append(s("circle", { cx: middle(c), cy: middle(r), r: 18, class: "mark second" }));
    svg.append(node);
    cells.set(id, { node, x: middle(c), y: middle(r), size: SIZE, label: `${id}: ${stoneName(stone)}` });
  });
  const columns = model.rows[0].map((_, c) => letters(c));
  coordinates(svg, columns, model.rows.map((_, r) => String(r + 1)));
  return { svg, cells };
}

function cross(x, y) {
  return s("path", { d: `M${x - 17} ${y - 17}l34 34m0 -34l-34 34`, class: "mark first" });
}

function drawStanding(model) {
  const svg = frame(model.width, model.height, `a standing board of ${model.width} columns and ${model.height} rows`);
  const size = [model.width * SIZE, model.height * SIZE];
  svg.append(s("rect", { x: MARGIN, y: MARGIN, width: size[0], height: size[1], rx: 10, class: "stand" }));
  const cells = new Map();
  for (let c = 0; c < model.width; c++) {
    const holes = model.rows.map((row, r) =>
      row[c] === "." ? s("circle", { cx: middle(c), cy: middle(r), r: 22, class: "hole" }) : disc(middle(c), middle(r), row[c]));
    const top = model.rows.filter((row) => row[c] === ".").length - 1;
    const area = s("rect", { x: MARGIN + c * SIZE, y: MARGIN, width: SIZE, height: size[1], class: "column" });
    const node = s("g", {}, area, holes);
    svg.append(node);
    const stones = model.rows.map((row) => row[c]).filter((stone) => stone !== ".").reverse().join(" ");
    cells.set(String(c + 1), { node, x: middle(c), y: middle(Math.max(top, 0)), size: SIZE, label: `column ${c + 1}: ${stones || "empty"}` });
  }
  coordinates(svg, model.rows[0].map((_, c) => String(c + 1)), [], model.height);
  return { svg, cells };
}

const HEX_WIDTH = 52;
const HEX_RADIUS = HEX_WIDTH / Math.sqrt(3);

function drawHex(model) {
  const n = model.width;
  const x = (c, r) => 40 + HEX_WIDTH / 2 + c * HEX_WIDTH + (r * HEX_WIDTH) / 2;
  const y = (r) => 36 + HEX_RADIUS + r * HEX_RADIUS * 1.5;
  const box = [0, 0, x(n - 1, n - 1) + HEX_WIDTH / 2 + 40, y(n - 1) + HEX_RADIUS + 36];
  const svg = s("svg", { viewBox: box.join(" "), class: "board", role: "group", "aria-label": `a Hex board of ${n} rows; x joins top and bottom, o left and right` });
  svg.append(borders(n, x, y));
  const cells = new Map();
  each(model, (stone, c, r) => {
    const id = name(c, r);
    const node = s("g", {}, s("polygon", { points: hexagon(x(c, r), y(r), HEX_RADIUS), class: "cell" }));
    if (stone !== ".") node.append(disc(x(c, r), y(r), stone, 19));
    svg.append(node);
    cells.set(id, { node, x: x(c, r), y: y(r), size: HEX_WIDTH, label: `${id}: ${stoneName(stone)}` });
  });
  for (let i = 0; i < n; i++) {
    svg.append(s("text", { x: x(i, 0) - 4, y: 18, class: "coordinate" }, letters(i)));
    svg.append(s("text", { x: x(0, i) - HEX_WIDTH / 2 - 16, y: y(i) + 5, class: "coordinate" }, String(i + 1)));
  }
  return { svg, cells };
}

function hexagon(x, y, radius) {
  const corner = (i) => [x + radius * Math.sin((i * Math.PI) / 3), y - radius * Math.cos((i * Math.PI) / 3)];
  return [0, 1, 2, 3, 4, 5].map((i) => corner(i).map((v) => v.toFixed(1)).join(",")).join(" ");
}

// Four bands behind the cells show which sides each player joins.
function borders(n, x, y) {
  const band = (cells, className) => cells.map(([c, r, dx, dy]) => s("polygon", { points: hexagon(x(c, r) + dx, y(r) + dy, HEX_RADIUS), class: className }));
  const line = [...Array(n).keys()];
  return s("g", { class: "borders" },
    band(line.map((i) => [0, i, -8, 3]), "second"), band(line.map((i) => [n - 1, i, 8, -3]), "second"),
    band(line.map((i) => [i, 0, 0, -9]), "first"), band(line.map((i) => [i, n - 1, 0, 9]), "first"));
}

export const steps = (move) => [move];

export const palette = (model) => (model.kind === "connect4" ? null : STONES);

function index(model, cell) {
  const [, column, row] = /^([a-z]+)(\d+)$/.exec(cell);
  const c = [...column].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 96, 0) - 1;
  return [Number(row) - 1, c];
}

export const put = (model, cell, piece) => putAt(model, index(model, cell), piece);
export const take = (model, cell) => takeAt(model, index(model, cell));
