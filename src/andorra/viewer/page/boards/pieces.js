// breakthrough and loa: pieces that go from cell to cell. A position is the board and who moves.
import { s } from "../dom.js";
import { SIZE, STONES, coordinates, disc, frame, letters, middle, putAt, square, stoneName, takeAt } from "./grid.js";

export const games = ["breakthrough", "loa"];

export function read(game, position) {
  const [board, side] = position.split(" ");
  const rows = board.split("/").map((row) => [...row]);
  return { rows, side, width: rows[0].length, height: rows.length };
}

export const write = (model) => `${model.rows.map((row) => row.join("")).join("/")} ${model.side}`;

export function draw(model) {
  const svg = frame(model.width, model.height, `a board of ${model.width} columns and ${model.height} rows`);
  const cells = new Map();
  model.rows.forEach((row, r) => row.forEach((stone, c) => {
    const id = `${letters(c)}${model.height - r}`;
    const node = s("g", {}, square(c, r, (r + c) % 2 ? "cell dark" : "cell"));
    if (stone !== ".") node.append(disc(middle(c), middle(r), stone));
    svg.append(node);
    cells.set(id, { node, x: middle(c), y: middle(r), size: SIZE, label: `${id}: ${stoneName(stone)}` });
  }));
  coordinates(svg, model.rows[0].map((_, c) => letters(c)), model.rows.map((_, r) => String(model.height - r)));
  return { svg, cells };
}

export function steps(move) {
  const found = /^([a-z]+\d+)([a-z]+\d+)$/.exec(move);
  return found ? [found[1], found[2]] : null;
}

export const palette = () => STONES;
export const sides = () => [["x", "x moves"], ["o", "o moves"]];

function index(model, cell) {
  return [model.height - Number(cell.slice(1)), cell.charCodeAt(0) - 97];
}

export const put = (model, cell, piece) => putAt(model, index(model, cell), piece);
export const take = (model, cell) => takeAt(model, index(model, cell));
