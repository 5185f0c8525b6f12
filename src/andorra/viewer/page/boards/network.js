// cops and graph: vertices and edges. Cops and robbers stand on a graph whose layout is found by
// springs; an explicit AND/OR graph hangs in layers below the current node.
import { s } from "../dom.js";

export const games = ["cops", "graph"];

export function read(game, position, extra) {
  if (game.startsWith("graph")) return { kind: "graph", position, nodes: extra?.nodes ?? [] };
  const [graph, cops, robber, side] = position.split(" ");
  const places = cops && cops !== "-" ? cops.split(",").map(Number) : [];
  return { kind: "cops", graph, near: extra?.near ?? [], cops: places, robber: robber && robber !== "-" ? Number(robber) : null, side: side ?? (places.length ? "r" : "c") };
}

export const draw = (model) => (model.kind === "cops" ? drawCops(model) : drawLayers(model));

export const steps = (move, model) => (model.kind === "cops" ? move.split(",") : [move]);

// ---- cops ----

const layouts = new Map();

const MOST_EDGES = 250;

// Of a circle, a circle in a circle and one moved by springs, what has the fewest crossings.
function layout(near) {
  const n = near.length;
  const edges = near.flatMap((goals, i) => goals.filter((j) => j > i).map((j) => [i, j]));
  const circle = ring(n, 0, n, 1);
  if (edges.length > MOST_EDGES) return fitted(circle, 480, 480);
  const found = [circle, springs(near)];
  if (n % 2 === 0 && n > 4) found.push([...ring(n / 2, 0, n / 2, 1), ...ring(n / 2, 0, n / 2, 0.5)]);
  const crossings = found.map((at) => edges.reduce((sum, one, i) => sum + edges.slice(i + 1).filter((two) => cross(at, one, two)).length, 0));
  return fitted(found[crossings.lastIndexOf(Math.min(...crossings))], 480, 480);
}

function ring(n, from, to, radius) {
  const angle = (i) => (2 * Math.PI * i) / n - Math.PI / 2;
  return Array.from({ length: to - from }, (_, i) => [radius * Math.cos(angle(i)), radius * Math.sin(angle(i))]);
}

function cross(at, [a, b], [c, d]) {
  if (new Set([a, b, c, d]).size < 4) return false;
  const turn = (p, q, r) => Math.sign((at[q][0] - at[p][0]) * (at[r][1] - at[p][1]) - (at[q][1] - at[p][1]) * (at[r][0] - at[p][0]));
  return turn(a, b, c) * turn(a, b, d) < 0 && turn(c, d, a) * turn(c, d, b) < 0;
}

function springs(near) {
  const n = near.length;
  const at = ring(n, 0, n, 1);
  for (let round = 0; round < 300; round++) {
    const push = at.map(() => [0, 0]);
    for (let i = 0; i < n; i++) {
      for (let j = 0; j < i; j++) {
        const [dx, dy] = [at[i][0] - at[j][0] + 1e-4 * (i - j), at[i][1] - at[j][1]];
        const distance = Math.max(0.01, Math.hypot(dx, dy));
        const force = 0.35 / (n * distance * distance) - (near[i].includes(j) ? 0.35 * distance * distance : 0);
        push[i][0] += (force * dx) / distance;
        push[i][1] += (force * dy) / distance;
        push[j][0] -= (force * dx) / distance;
        push[j][1] -= (force * dy) / distance;
      }
    }
    const most = 0.1 * (1 - round / 300);
    at.forEach((point, i) => {
      const size = Math.max(1e-9, Math.hypot(...push[i]));
      point[0] += (push[i][0] / size) * Math.min(size, most);
      point[1] += (push[i][1] / size) * Math.min(size, most);
    });
  }
  return at;
}

function fitted(at, width, height) {
  const low = [0, 1].map((k) => Math.min(...at.map((point) => point[k])));
  const span = [0, 1].map((k) => Math.max(1e-6, Math.max(...at.map((point) => point[k])) - low[k]));
  return at.map(([x, y]) => [40 + ((x - low[0]) / span[0]) * (width - 80), 40 + ((y - low[1]) / span[1]) * (height - 80)]);
}

function drawCops(model) {
  if (!layouts.has(model.graph)) {
    if (layouts.size > 50) layouts.clear();
    layouts.set(model.graph, layout(model.near));
  }
  const at = layouts.get(model.graph);
  const svg = s("svg", { viewBox: "0 0 480 480", class: "board network", role: "group", "aria-label": `a graph of ${model.near.length} vertices` });
  model.near.forEach((near, i) => near.filter((j) => j > i).forEach((j) => svg.append(s("line", { x1: at[i][0], y1: at[i][1], x2: at[j][0], y2: at[j][1], class: "edge" }))));
  const cells = new Map();
  at.forEach(([x, y], i) => {
    const here = model.cops.filter((cop) => cop === i).length;
    const node = s("g", {}, s("circle", { cx: x, cy: y, r: 17, class: "cell vertex" }), s("text", { x, y: y + 5, class: "vertex-name" }, String(i)));
    if (here) node.append(person(x, y, "first", here > 1 ? `C${here}` : "C", model.robber === i ? -10 : 0));
    if (model.robber === i) node.append(person(x, y, "second", "R", here ? 10 : 0));
    svg.append(node);
    const who = [here ? `${here} cop${here > 1 ? "s" : ""}` : "", model.robber === i ? "robber" : ""].filter(Boolean).join(", ");
    cells.set(String(i), { node, x, y, size: 38, label: `vertex ${i}${who ? `: ${who}` : ""}` });
  });
  return { svg, cells };
}

function person(x, y, side, letter, shift) {
  return s("g", { class: `stone ${side}` }, s("circle", { cx: x + shift, cy: y, r: 17 }), s("text", { x: x + shift, y: y + 6, class: "letter" }, letter));
}

// ---- explicit graphs ----

const MOST_LAYERS = 5;
const ACROSS = 92;
const DOWN = 92;

function layers(nodes) {
  const byName = new Map(nodes.map((node) => [node.name, node]));
  const depth = new Map([[nodes[0].name, 0]]);
  const found = [[nodes[0]]];
  for (let d = 0; d < MOST_LAYERS - 1 && found[d]; d++) {
    const next = found[d].flatMap((node) => node.to).filter((name, i, all) => !depth.has(name) && all.indexOf(name) === i && byName.has(name));
    next.forEach((name) => depth.set(name, d + 1));
    if (next.length) found.push(next.slice(0, 14).map((name) => byName.get(name)));
  }
  return found;
}

function drawLayers(model) {
  const found = layers(model.nodes);
  const width = Math.max(300, Math.max(...found.map((layer) => layer.length)) * ACROSS + 20);
  const height = found.length * DOWN + 10;
  const svg = s("svg", { viewBox: `0 0 ${width} ${height}`, class: "board network", role: "group", "aria-label": `the graph below ${model.position}` });
  const at = new Map();
  found.forEach((layer, d) => layer.forEach((node, i) => at.set(node.name, [(width * (i + 0.5)) / layer.length, 44 + d * DOWN])));
  const edges = s("g", {});
  svg.append(arrowHead(), edges);
  const cells = new Map();
  found.flat().forEach((node) => {
    const [x, y] = at.get(node.name);
    node.to.filter((name) => at.has(name)).forEach((name) => edges.append(arrow([x, y], at.get(name))));
    const cell = s("g", {}, shape(node, x, y), s("text", { x, y: y + 5, class: "vertex-name" }, fit(node.name)), s("title", {}, node.name));
    svg.append(cell);
    const what = node.end ? { first: "a win", second: "a loss", draw: "a draw" }[node.end] : node.side === "first" ? "an OR node" : "an AND node";
    cells.set(node.name, { node: cell, x, y, size: 60, label: `${node.name}: ${what}` });
  });
  return { svg, cells };
}

const fit = (name) => (name.length > 8 ? `${name.slice(0, 7)}…` : name);

function shape(node, x, y) {
  if (node.end) return s("rect", { x: x - 34, y: y - 17, width: 68, height: 34, rx: 17, class: `cell end ${node.end}` });
  if (node.side === "first") return s("ellipse", { cx: x, cy: y, rx: 36, ry: 21, class: "cell or" });
  return s("rect", { x: x - 34, y: y - 19, width: 68, height: 38, class: "cell and" });
}

function arrowHead() {
  const head = s("marker", { id: "head", viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, orient: "auto" }, s("path", { d: "M0 0 8 4 0 8Z", class: "head" }));
  return s("defs", {}, head);
}

function arrow([x1, y1], [x2, y2]) {
  const down = y2 > y1;
  const start = [x1, y1 + (down ? 20 : -20)];
  const goal = [x2, y2 + (down ? -22 : 22)];
  const bend = down ? 0 : 60;
  return s("path", { d: `M${start}C${start[0] + bend} ${start[1] + (down ? 24 : -24)} ${goal[0] + bend} ${goal[1] - (down ? 24 : -24)} ${goal}`, class: "edge", "marker-end": "url(#head)" });
}

// ---- setting up ----

export const palette = (model) => (model.kind === "cops" && model.cops.length ? [["cop", "cop"], ["robber", "robber"]] : null);

export function put(model, cell, piece) {
  const vertex = Number(cell);
  if (piece === "robber") model.robber = vertex;
  if (piece === "cop" && model.cops.length) model.cops = [...model.cops.slice(1), vertex];
}

export function take(model, cell) {
  const vertex = Number(cell);
  if (model.robber === vertex) return "robber";
  const cop = model.cops.indexOf(vertex);
  if (cop < 0) return null;
  // The one that is taken goes to the front, from where `put` moves it.
  model.cops = [vertex, ...model.cops.filter((_, i) => i !== cop)];
  return "cop";
}

export function write(model) {
  if (model.kind === "graph" || !model.cops.length) return model.kind === "graph" ? model.position : model.graph;
  const cops = [...model.cops].sort((a, b) => a - b).join(",");
  return model.robber === null ? `${model.graph} ${cops} -` : `${model.graph} ${cops} ${model.robber} ${model.side}`;
}

export const sides = () => [["c", "the cops move"], ["r", "the robber moves"]];
