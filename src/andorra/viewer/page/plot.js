// Plots as SVG: lines, steps and points on linear or logarithmic axes, with direct labels.
import { s } from "./dom.js";
import { short } from "./words.js";

const BOX = { left: 54, top: 12, bottom: 36 };
const LETTER = 7;

class Axis {
  constructor(values, log, from, to) {
    const good = values.filter((value) => Number.isFinite(value) && (!log || value > 0));
    this.log = log;
    this.low = good.length ? Math.min(...good) : log ? 1 : 0;
    this.high = good.length ? Math.max(...good) : 1;
    if (log) {
      this.low = 10 ** Math.floor(Math.log10(this.low));
      this.high = 10 ** Math.ceil(Math.log10(Math.max(this.high, this.low * 1.01)));
    } else {
      this.low = Math.min(0, this.low);
      if (this.high <= this.low) this.high = this.low + 1;
    }
    this.from = from;
    this.to = to;
  }

  at(value) {
    const scale = this.log ? Math.log10 : (v) => v;
    const share = (scale(Math.max(value, this.log ? this.low : -Infinity)) - scale(this.low)) / (scale(this.high) - scale(this.low));
    return this.from + Math.min(Math.max(share, 0), 1) * (this.to - this.from);
  }

  ticks() {
    if (this.log) {
      const [a, b] = [Math.round(Math.log10(this.low)), Math.round(Math.log10(this.high))];
      const step = Math.ceil((b - a) / 6);
      return Array.from({ length: Math.floor((b - a) / step) + 1 }, (_, i) => 10 ** (a + i * step));
    }
    const rough = (this.high - this.low) / 4;
    const power = 10 ** Math.floor(Math.log10(rough));
    const step = [1, 2, 5, 10].map((m) => m * power).find((size) => size >= rough);
    const found = [];
    for (let value = Math.ceil(this.low / step) * step; value <= this.high + step / 1e6; value += step) found.push(value);
    return found;
  }
}

// series: [{ name, points: [[x, y]], kind: "line" | "steps" | "dots", titles }]
export function plot({ label, series, x, y, square = false, width = 540 }) {
  const height = square ? 440 : 0.35 * width + 90;
  const right = square ? 20 : 14 + LETTER * Math.max(...series.map((each) => each.name.length));
  const all = series.flatMap((each) => each.points);
  const across = new Axis(all.map((point) => point[0]), x.log, BOX.left, width - right);
  const up = new Axis(all.map((point) => point[1]), y.log, height - BOX.bottom, BOX.top);
  if (square) {
    [across.low, up.low] = Array(2).fill(Math.min(across.low, up.low));
    [across.high, up.high] = Array(2).fill(Math.max(across.high, up.high));
  }
  const svg = s("svg", { viewBox: `0 0 ${width} ${height}`, class: "plot", role: "img", "aria-label": label });
  grid(svg, across, up, x, y, width, height);
  if (square) svg.append(s("line", { x1: across.from, y1: up.from, x2: across.to, y2: up.to, class: "diagonal" }));
  const labels = [];
  series.forEach((each, i) => draw(svg, each, i, across, up, labels));
  spread(labels, BOX.top + 6, height - BOX.bottom).forEach((text) => svg.append(s("text", { x: text.x, y: text.y + 4, class: `series-${text.i} name` }, text.name)));
  return svg;
}

function grid(svg, across, up, x, y, width, height) {
  for (const tick of up.ticks()) {
    svg.append(s("line", { x1: across.from, x2: across.to, y1: up.at(tick), y2: up.at(tick), class: "grid" }));
    svg.append(s("text", { x: across.from - 7, y: up.at(tick) + 4, class: "tick end" }, short(tick)));
  }
  for (const tick of across.ticks()) {
    svg.append(s("text", { x: across.at(tick), y: height - BOX.bottom + 16, class: "tick middle" }, x.format?.(tick) ?? short(tick)));
  }
  svg.append(s("text", { x: (across.from + across.to) / 2, y: height - 4, class: "axis middle" }, x.name));
  svg.append(s("text", { x: 12, y: (up.from + up.to) / 2, transform: `rotate(-90 12 ${(up.from + up.to) / 2})`, class: "axis middle" }, y.name));
}

function draw(svg, each, i, across, up, labels) {
  const place = ([px, py]) => [across.at(px).toFixed(1), up.at(py).toFixed(1)];
  const seen = each.points.filter(([px, py]) => Number.isFinite(px) && Number.isFinite(py));
  if (each.kind === "dots") {
    seen.forEach((point, n) => {
      const [cx, cy] = place(point);
      svg.append(s("circle", { cx, cy, r: 4, class: `dot ${each.classes?.[n] ?? `series-${i}`}` }, s("title", {}, each.titles?.[n] ?? "")));
    });
    return;
  }
  let d = "";
  let open = false;
  for (const point of each.points) {
    const finite = Number.isFinite(point[0]) && Number.isFinite(point[1]);
    if (finite) {
      const [px, py] = place(point);
      d += !open ? `M${px} ${py}` : each.kind === "steps" ? `H${px}V${py}` : `L${px} ${py}`;
    }
    open = finite;
  }
  svg.append(s("path", { d, class: `line series-${i}` }));
  if (seen.length) labels.push({ x: across.to + 6, y: up.at(seen.at(-1)[1]), name: each.name, i });
}

// Labels that would cover each other are moved apart.
function spread(labels, low, high) {
  const sorted = [...labels].sort((a, b) => a.y - b.y);
  sorted.forEach((text, i) => { text.y = Math.max(text.y, i ? sorted[i - 1].y + 14 : low); });
  const over = sorted.length ? sorted.at(-1).y - high : 0;
  if (over > 0) sorted.forEach((text) => { text.y -= over; });
  return sorted;
}
