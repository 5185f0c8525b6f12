// tsume: a board of shogi with what both sides hold. A position is an SFEN, perhaps with the
// attacker after it. Pieces are drawn with Japanese characters or with the letters of SFEN.
import { s } from "../dom.js";

export const games = ["tsume"];

const SIZE = 48;
const LEFT = 16;
const TOP = 78;
const RANKS = "abcdefghi";
const KANJI = { P: "歩", L: "香", N: "桂", S: "銀", G: "金", B: "角", R: "飛", K: "玉", "+P": "と", "+L": "杏", "+N": "圭", "+S": "全", "+B": "馬", "+R": "龍" };
const NAMES = { P: "pawn", L: "lance", N: "knight", S: "silver", G: "gold", B: "bishop", R: "rook", K: "king" };
const HAND = ["R", "B", "G", "S", "N", "L", "P"];
const RANK_KANJI = "一二三四五六七八九";

export const styles = [["japanese", "Japanese pieces"], ["western", "Western letters"]];

export function read(game, position) {
  const [board, side, hands, number, mark] = position.split(" ");
  const rows = board.split("/").map(readRank);
  return { rows, side, hands: readHands(hands), number: number ?? "1", mark: mark ?? "" };
}

function readRank(text) {
  const cells = [];
  for (const [piece] of text.matchAll(/\+?[A-Za-z]|\d/g)) {
    if (/\d/.test(piece)) cells.push(...Array(Number(piece)).fill(null));
    else cells.push(piece);
  }
  return cells;
}

function readHands(text) {
  const held = {};
  for (const [, count, letter] of text.matchAll(/(\d*)([A-Za-z])/g)) held[letter] = Number(count || 1);
  return held;
}

export function write(model) {
  const board = model.rows.map(writeRank).join("/");
  const letters = [...HAND, ...HAND.map((letter) => letter.toLowerCase())];
  const held = letters.filter((letter) => model.hands[letter]).map((letter) => (model.hands[letter] > 1 ? model.hands[letter] : "") + letter);
  return [board, model.side, held.join("") || "-", model.number, model.mark].filter(Boolean).join(" ");
}

function writeRank(row) {
  return row.map((piece) => piece ?? ".").join("").replace(/\.+/g, (empty) => String(empty.length));
}

const white = (piece) => /[a-z]/.test(piece);
const x = (file) => LEFT + (9 - file) * SIZE + SIZE / 2;
const y = (rank) => TOP + rank * SIZE + SIZE / 2;

function pieceName(piece) {
  const promoted = piece.startsWith("+") ? "promoted " : "";
  return `${white(piece) ? "white" : "black"} ${promoted}${NAMES[piece.slice(-1).toUpperCase()]}`;
}

export function draw(model, style = "japanese") {
  const height = TOP + 9 * SIZE + 78;
  const svg = s("svg", { viewBox: `0 0 ${LEFT + 9 * SIZE + 28} ${height}`, class: `board shogi ${style}`, role: "group", "aria-label": "a board of shogi" });
  svg.append(s("rect", { x: LEFT, y: TOP, width: 9 * SIZE, height: 9 * SIZE, class: "wood" }));
  const cells = new Map();
  model.rows.forEach((row, rank) => row.forEach((piece, i) => {
    const file = 9 - i;
    const id = `${file}${RANKS[rank]}`;
    const node = s("g", {}, s("rect", { x: LEFT + i * SIZE, y: TOP + rank * SIZE, width: SIZE, height: SIZE, class: "cell" }));
    if (piece) node.append(drawPiece(piece, x(file), y(rank), style));
    svg.append(node);
    cells.set(id, { node, x: x(file), y: y(rank), size: SIZE, label: `${id}: ${piece ? pieceName(piece) : "empty"}` });
  }));
  for (let i = 1; i <= 9; i++) {
    svg.append(s("text", { x: x(i), y: TOP - 6, class: "coordinate" }, String(i)));
    const rank = style === "japanese" ? RANK_KANJI[i - 1] : RANKS[i - 1];
    svg.append(s("text", { x: LEFT + 9 * SIZE + 13, y: y(i - 1) + 5, class: "coordinate" }, rank));
  }
  drawHand(svg, cells, model, "w", 28, style);
  drawHand(svg, cells, model, "b", TOP + 9 * SIZE + 38, style);
  return { svg, cells };
}

function drawHand(svg, cells, model, side, middle, style) {
  const who = side === "b" ? "black" : "white";
  const sign = s("text", { x: LEFT, y: middle + 6, class: "hand-name" }, `${side === "b" ? "▲" : "△"} ${who}`);
  svg.append(sign);
  HAND.forEach((kind, i) => {
    const letter = side === "b" ? kind : kind.toLowerCase();
    const count = model.hands[letter] ?? 0;
    const place = LEFT + 108 + i * 48;
    const node = s("g", { class: count ? "held" : "held none" }, s("rect", { x: place - 22, y: middle - 24, width: 46, height: 48, rx: 6, class: "cell hand" }));
    node.append(drawPiece(letter, place - 4, middle, style));
    if (count > 1) node.append(s("text", { x: place + 15, y: middle + 18, class: "count" }, String(count)));
    svg.append(node);
    cells.set(`hand-${letter}`, { node, x: place, y: middle, size: 46, label: `${who} holds ${count} ${NAMES[kind]}` });
  });
}

function drawPiece(piece, cx, cy, style) {
  const turn = white(piece) ? `rotate(180 ${cx} ${cy})` : null;
  const shape = `M${cx} ${cy - 20} ${cx + 13} ${cy - 14} ${cx + 17} ${cy + 18}H${cx - 17}L${cx - 13} ${cy - 14}Z`;
  const kind = piece.toUpperCase();
  const sign = style === "japanese" ? KANJI[kind] : kind;
  const attributes = { x: cx, y: cy + (style === "japanese" ? 10 : 9), class: kind.startsWith("+") ? "sign promoted" : "sign" };
  // Letters stay upright: a turned S or N reads as itself.
  const upright = style === "western" && turn ? { y: cy + 6 } : {};
  const turned = style === "japanese" ? { transform: turn } : {};
  return s("g", { class: `koma ${white(piece) ? "white" : "black"}` }, s("path", { d: shape, transform: turn }), s("text", { ...attributes, ...upright, ...turned }, sign));
}

export function steps(move, model) {
  const drop = /^([A-Z])\*(..)$/.exec(move);
  if (drop) return [`hand-${model.side === "b" ? drop[1] : drop[1].toLowerCase()}`, drop[2]];
  const goal = [move.slice(0, 2), move.slice(2, 4)];
  return move.endsWith("+") ? [...goal, "+"] : [...goal, "="];
}

export const stepNames = { "+": "promote", "=": "do not promote" };
export const sides = () => [["b", "black moves"], ["w", "white moves"]];

export function palette() {
  const kinds = Object.keys(KANJI);
  const both = [...kinds, ...kinds.map((kind) => kind.toLowerCase())];
  return [...both.map((piece) => [piece, pieceName(piece)]), [".", "nothing"]];
}

export function put(model, cell, piece) {
  if (cell.startsWith("hand-")) {
    // Whatever is put into a hand goes there as its own kind.
    const letter = cell.slice(5);
    model.hands[letter] = (model.hands[letter] ?? 0) + (piece === "." ? -1 : 1);
    if (model.hands[letter] <= 0) delete model.hands[letter];
    return;
  }
  model.rows[RANKS.indexOf(cell[1])][9 - Number(cell[0])] = piece === "." ? null : piece;
}

export function take(model, cell) {
  if (cell.startsWith("hand-")) {
    const letter = cell.slice(5);
    if (!model.hands[letter]) return null;
    put(model, cell, ".");
    return letter;
  }
  const row = model.rows[RANKS.indexOf(cell[1])];
  const piece = row[9 - Number(cell[0])];
  row[9 - Number(cell[0])] = null;
  return piece;
}

// A piece of the palette, drawn alone.
export function icon(piece, style) {
  if (piece === ".") return null;
  return s("svg", { viewBox: "0 0 40 44", class: `icon shogi ${style}` }, drawPiece(piece, 20, 22, style));
}
