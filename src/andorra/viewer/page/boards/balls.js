// rolit: balls of four colours. A position is the board and the player to move.
import { s } from "../dom.js";
import { SIZE, coordinates, frame, letters, middle, putAt, square, takeAt } from "./grid.js";

export const games = ["rolit"];

const NOBODY = ".";

export function read(game, position) {
  const [board, side] = position.split(" ");
  const rows = board.split("/").map((row) => [...row]);
  const players = Number(/,(\d)/.exec(game)?.[1] ?? 4);
  return { rows, side, players, width: rows[0].length, height: rows.length };
}

export const write = (model) => `${model.rows.map((row) => row.join("")).join("/")} ${model.side}`;

export function draw(model) {
  const svg = frame(model.width, model.height, `a board of ${model.width} columns and ${model.height} rows; player ${model.side} moves`);
  const cells = new Map();
  model.rows.forEach((row, r) => row.forEach((ball, c) => {
    const id = `${letters(c)}${r + 1}`;
    const node = s("g", {}, square(c, r, "cell"));
    if (ball !== NOBODY) node.append(drawBall(middle(c), middle(r), ball));
    svg.append(node);
    cells.set(id, { node, x: middle(c), y: middle(r), size: SIZE, label: `${id}: ${ball === NOBODY ? "empty" : `ball of player ${ball}`}` });
  }));
  coordinates(svg, model.rows[0].map((_, c) => letters(c)), model.rows.map((_, r) => String(r + 1)));
  return { svg, cells };
}

// The number says whose it is to whoever cannot tell the colours apart.
function drawBall(x, y, player) {
  return s("g", { class: `ball player-${player}` }, s("circle", { cx: x, cy: y, r: 22 }), s("text", { x, y: y + 7, class: "number" }, player));
}

export const steps = (move) => [move];

const PLAYERS = ["1", "2", "3", "4"];

export const palette = () => [...PLAYERS.map((player) => [player, `ball of player ${player}`]), [NOBODY, "nothing"]];
export const sides = (model) => PLAYERS.slice(0, model.players).map((player) => [player, `${player} moves`]);

const index = (cell) => [Number(cell.slice(1)) - 1, cell.charCodeAt(0) - 97];

export const put = (model, cell, piece) => putAt(model, index(cell), piece);
export const take = (model, cell) => takeAt(model, index(cell));
