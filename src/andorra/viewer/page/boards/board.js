// A board on the page: shows a position, takes moves by clicks or keys, and positions by dragging.
//
// A move is a sequence of cells (its steps). What has been clicked so far is a beginning of some
// legal moves; cells that go on from there can be clicked next. When one move is left, it is made.
import { h, replace, s } from "../dom.js";
import { familyOf } from "./family.js";

const STYLE = "andorra-pieces";

export class Board {
  constructor({ onmove, onedit } = {}) {
    this.onmove = onmove;
    this.onedit = onedit;
    this.host = h("div", { class: "board-host" });
    this.chooser = h("div", { class: "chooser", role: "group", "aria-label": "Choose how" });
    this.host.addEventListener("keydown", (event) => this.key(event));
  }

  // view: { game, position, extra, picture, moves, last, hint, line }
  show(view) {
    this.view = view;
    this.family = familyOf(view.game);
    this.style = localStorage.getItem(STYLE) ?? "japanese";
    this.model = this.family.read(view.game, view.position, view.extra, view.picture);
    this.steps = new Map((view.moves ?? []).map((move) => [move, this.family.steps(move, this.model)]));
    this.begun = [];
    this.paint();
  }

  // Who uses the keyboard stays on the cell, or comes to the first one that can be chosen.
  paint() {
    const focused = this.cells && [...this.cells].find(([, cell]) => cell.node === document.activeElement)?.[0];
    this.focus = focused ?? this.focus;
    this.draw();
    if (!this.focus) return;
    const cell = this.cells.get(this.focus)?.node;
    const goal = cell?.tabIndex === 0 ? cell : this.svg.querySelector?.(".can");
    goal?.focus();
    if (goal) this.focus = null;
  }

  draw() {
    const { svg, cells } = this.family.draw(this.model, this.style);
    this.svg = svg;
    this.cells = cells;
    this.mark(this.view.last, "last");
    this.overlay(this.view.hint);
    this.number(this.view.line ?? []);
    replace(this.chooser);
    if (this.view.editing) this.offerEditing();
    else this.offer();
    replace(this.host, svg, this.chooser, this.styleChoice(), this.asText());
  }

  mark(move, className) {
    const steps = move ? this.family.steps(move, { ...this.model, side: { b: "w", w: "b" }[this.model.side] ?? this.model.side }) : null;
    for (const step of steps ?? []) this.cells.get(step)?.node.classList.add(className);
  }

  overlay(move) {
    const steps = move ? this.family.steps(move, this.model) : null;
    const points = (steps ?? []).map((step) => this.cells.get(step)).filter(Boolean);
    if (!points.length) return;
    const [from, to] = points.length > 1 && points[0] !== points[1] && this.view.game.split(":")[0] !== "cops" ? points : [null, points[0]];
    const rings = from ? [to] : points;
    const shown = rings.map((point) => s("circle", { cx: point.x, cy: point.y, r: point.size * 0.42, class: "hint" }));
    if (from) shown.push(s("line", { ...ends(from, to), class: "hint" }));
    this.svg.append(s("g", { class: "overlay", "aria-hidden": "true" }, shown));
  }

  // Where the moves of a line go, in their order; a cell has the number of the first of them.
  number(line) {
    const numbers = new Map();
    line.forEach((move, i) => {
      const cell = this.cells.get(this.family.steps(move, this.model)?.findLast((step) => this.cells.has(step)));
      if (cell && !numbers.has(cell)) numbers.set(cell, i + 1);
    });
    const shown = [...numbers].map(([{ x, y }, number]) => s("g", { class: "numbered" }, s("circle", { cx: x, cy: y, r: 13 }), s("text", { x, y: y + 5 }, String(number))));
    if (shown.length) this.svg.append(s("g", { class: "overlay", "aria-hidden": "true" }, shown));
  }

  matching() {
    const fits = ([, steps]) => steps && this.begun.every((step, i) => steps[i] === step);
    return [...this.steps].filter(fits);
  }

  offer() {
    const next = new Map();
    for (const [move, steps] of this.matching()) {
      const step = steps[this.begun.length];
      if (!next.has(step)) next.set(step, []);
      next.get(step).push(move);
    }
    for (const step of this.begun) this.cells.get(step)?.node.classList.add("begun");
    for (const [step, moves] of next) {
      const cell = this.cells.get(step);
      if (cell) this.makeButton(cell, cell.label, () => this.take(step));
      else this.chooser.append(h("button", { type: "button", onclick: () => this.take(step) }, this.family.stepNames?.[step] ?? moves[0]));
    }
    if (this.begun.length && this.steps.size) this.chooser.append(h("button", { type: "button", class: "quiet", onclick: () => this.forget() }, "Choose again"));
  }

  makeButton(cell, label, action) {
    cell.node.classList.add("can");
    const attributes = { role: "button", tabindex: "0", "aria-label": label };
    for (const [name, value] of Object.entries(attributes)) cell.node.setAttribute(name, value);
    cell.node.addEventListener("click", action);
    cell.node.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      event.stopPropagation();
      action();
    });
  }

  take(step) {
    this.begun.push(step);
    const left = this.matching();
    // Nothing can be clicked until the answer is there: a second click would start from here, too.
    if (left.length === 1) this.steps = new Map();
    this.paint();
    if (left.length === 1) this.onmove?.(left[0][0]);
  }

  forget() {
    this.begun = [];
    this.paint();
  }

  // Arrow keys go to the nearest cell in that direction.
  key(event) {
    if (event.key === "Escape" && this.begun.length) return this.forget();
    const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    const here = way && [...this.cells.values()].find((cell) => cell.node === document.activeElement);
    if (!here) return;
    const cost = (cell) => {
      const [dx, dy] = [cell.x - here.x, cell.y - here.y];
      const along = dx * way[0] + dy * way[1];
      const across = Math.abs(dx * way[1]) + Math.abs(dy * way[0]);
      return along > 1 ? along + 2 * across : Infinity;
    };
    const targets = [...this.cells.values()].filter((cell) => cell.node.tabIndex === 0 && cost(cell) < Infinity);
    if (!targets.length) return;
    event.preventDefault();
    event.stopPropagation();
    targets.sort((a, b) => cost(a) - cost(b))[0].node.focus();
  }

  // ---- setting up ----

  offerEditing() {
    for (const [id, cell] of this.cells) {
      this.makeButton(cell, cell.label, () => this.edit(() => this.family.put(this.model, id, this.piece ?? ".")));
      cell.node.addEventListener("pointerdown", (event) => {
        this.dragged = id;
        event.target.releasePointerCapture?.(event.pointerId);
      });
      cell.node.addEventListener("pointerup", () => this.drop(id));
    }
  }

  drop(id) {
    const from = this.dragged;
    this.dragged = null;
    if (!from || from === id) return;
    this.edit(() => {
      const piece = this.family.take(this.model, from);
      if (piece) this.family.put(this.model, id, piece);
    });
  }

  edit(change) {
    change();
    this.paint();
    this.onedit?.(this.family.write(this.model));
  }

  palette(redraw) {
    const pieces = this.family.palette?.(this.model);
    if (!pieces) return null;
    const buttons = pieces.map(([piece, name]) => h("button", {
      type: "button", class: "piece", title: name, "aria-label": name, "aria-pressed": String((this.piece ?? ".") === piece),
      onclick: () => { this.piece = piece; redraw(); },
    }, this.family.icon?.(piece, this.style) ?? (piece === "." ? "∅" : piece)));
    const sides = (this.family.sides?.(this.model) ?? []).map(([side, text]) => h("button", {
      type: "button", "aria-pressed": String(this.model.side === side),
      onclick: () => this.edit(() => { this.model.side = side; }),
    }, text));
    return h("div", { class: "palette", role: "group", "aria-label": "Pieces to place" }, buttons, sides);
  }

  // For whoever cannot see the board, or wants to copy it.
  asText() {
    if (!this.view.picture || !(this.svg instanceof SVGElement)) return null;
    return h("details", { class: "as-text" }, h("summary", {}, "Board as text"), h("pre", {}, this.view.picture));
  }

  styleChoice() {
    if (!this.family.styles) return null;
    const buttons = this.family.styles.map(([style, name]) => h("button", {
      type: "button", class: "quiet", "aria-pressed": String(style === this.style),
      onclick: () => { localStorage.setItem(STYLE, style); this.style = style; this.paint(); },
    }, name));
    return h("div", { class: "styles", role: "group", "aria-label": "Pieces" }, buttons);
  }
}

// A line that stops before the goal's middle, so that what stands there can be seen.
function ends(from, to) {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const length = Math.hypot(dx, dy) || 1;
  const stop = Math.max(0, length - to.size * 0.42) / length;
  return { x1: from.x, y1: from.y, x2: from.x + dx * stop, y2: from.y + dy * stop };
}
