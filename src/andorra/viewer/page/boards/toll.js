// toll: gates in a row, the traveller's coins and patience, the keeper's budget.
import { s } from "../dom.js";

export const games = ["toll"];

export function read(game, position) {
  const [gate, ask, coins, patience, budget, side] = position.split(" ");
  const gates = Number(game.split(":")[1] ?? 3);
  return { gate: Number(gate), ask, coins: Number(coins), patience: Number(patience), budget: Number(budget), side, gates };
}

export function draw(model) {
  const width = Math.max(360, model.gates * 84 + 60);
  const said = `${model.gate} of ${model.gates} gates passed; coins ${model.coins}, patience ${model.patience}, budget ${model.budget}`;
  const svg = s("svg", { viewBox: `0 0 ${width} 230`, class: "board toll", role: "group", "aria-label": said });
  svg.append(s("path", { d: `M10 130H${width - 10}`, class: "road" }));
  for (let i = 0; i < model.gates; i++) svg.append(gate(60 + i * 84, i < model.gate));
  svg.append(traveller(20 + model.gate * 84));
  const demand = model.ask === "-" ? "the keeper names a demand" : `asked for ${model.ask}`;
  svg.append(s("text", { x: width / 2, y: 26, class: "said" }, demand));
  holding(svg, 14, "coins", model.coins, "first");
  holding(svg, 14 + width / 3, "patience", model.patience, "first");
  holding(svg, 14 + (2 * width) / 3, "budget", model.budget, "second");
  return { svg, cells: new Map() };
}

function gate(x, passed) {
  const bar = passed ? s("path", { d: `M${x} 92l34 -34`, class: "bar" }) : s("path", { d: `M${x} 96h44`, class: "bar" });
  return s("g", { class: passed ? "gate passed" : "gate" }, s("rect", { x: x - 5, y: 60, width: 10, height: 70, rx: 3 }), bar);
}

function traveller(x) {
  return s("g", { class: "stone first" }, s("circle", { cx: x, cy: 88, r: 11 }), s("path", { d: `M${x - 13} 128q13 -46 26 0Z` }));
}

function holding(svg, x, name, count, side) {
  svg.append(s("text", { x, y: 168, class: "holding" }, `${name} ${count}`));
  for (let i = 0; i < Math.min(count, 8); i++) svg.append(s("circle", { cx: x + 8 + i * 13, cy: 190, r: 6, class: `token ${side}` }));
}

export const steps = () => null;
export const palette = () => null;
