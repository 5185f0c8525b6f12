// Walk: a certificate place by place. At the winner's places there is one move, at the loser's all
// of them, the longest defence first.
import { Board } from "./boards/board.js";
import { h, replace, save } from "./dom.js";
import { guarded, link, remember } from "./main.js";
import { savePicture } from "./picture.js";
import { movesOf, sourceOf } from "./place.js";
import { Tree } from "./tree.js";
import { claim, count, ending, number, other, player, upper, why } from "./words.js";

export async function showWalk(host, parts, query) {
  const source = sourceOf(parts, query);
  const about = await source.about();
  remember("walk", link("walk", [source.id, String(source.part)]));
  remember("play", link("play", [source.id, String(source.part)]));
  const view = new WalkView(host, source, about);
  const keys = (event) => view.key(event);
  document.addEventListener("keydown", keys);
  await view.then(() => view.go(movesOf(query)));
  return () => document.removeEventListener("keydown", keys);
}

class WalkView {
  constructor(host, source, about) {
    this.host = host;
    this.source = source;
    this.about = about;
    this.part = about.parts[source.part];
    this.players = about.players;
    this.line = [];
    this.board = new Board({ onmove: (move) => this.go([...this.moves, move]) });
    this.caption = h("p", { class: "caption", "aria-live": "polite" });
    this.trail = h("div", { class: "trail", "aria-label": "Moves so far" });
    this.choices = h("div", { class: "choices" });
    this.tree = new Tree(source, { onselect: (moves) => this.go(moves), describe: (child) => this.describe(child) });
    const left = h("section", { class: "card board-card", "aria-label": "Board" }, this.board.host, this.caption, this.buttons(), this.trail);
    const right = h("div", { class: "side" },
      h("section", { class: "card", "aria-label": "What can happen here" }, h("h2", {}, "Here"), this.choices),
      h("section", { class: "card", "aria-label": "All lines" }, h("h2", {}, "All lines"), this.tree.host, this.keysHelp()),
      h("section", { class: "card", "aria-label": "Find and save" }, this.findForm(), this.exports()));
    replace(host, h("h1", {}, claim(this.players, this.part)), h("p", { class: "lead" }, why(this.players, this.part)), this.aboutFile(), h("div", { class: "columns" }, left, right));
  }

  aboutFile() {
    const { about, source } = this;
    const others = about.parts.length < 2 ? [] : about.parts.map((part, i) => h("a", { class: "button", href: link("walk", [source.id, String(i)]), "aria-current": i === source.part ? "true" : null }, claim(this.players, part)));
    return h("div", { class: "about" }, h("p", {}, `${about.game}, ${number(this.part.entries)} positions with an answer. This shows the file as it is; `, h("code", {}, "andorra check"), " verifies it."), others.length ? h("p", { class: "parts" }, others) : null);
  }

  buttons() {
    const button = (text, label, action) => h("button", { type: "button", title: label, "aria-label": label, onclick: () => this.then(action) }, text);
    return h("div", { class: "tools walk-tools" },
      button("|◀", "To the start (Home)", () => this.go([])), button("◀", "Back (p)", () => this.back()), button("▶", "On (n)", () => this.next()), button("▶|", "To the end of the line (End)", () => this.toEnd()),
      button("Longest line", "Show the longest line from here", () => this.follow(false)), button("Shortest line", "Show the shortest line from here", () => this.follow(true)),
      h("a", { class: "button", href: link("play", [this.source.id, String(this.source.part)]) }, "Play it"));
  }

  keysHelp() {
    const keys = [["n", "on"], ["p", "back"], ["[ ]", "another defence"], ["Home", "start"], ["End", "end of the line"]];
    return h("p", { class: "note keys" }, keys.flatMap(([key, what]) => [h("kbd", {}, key), ` ${what} `]));
  }

  findForm() {
    const input = h("input", { placeholder: this.about.position, spellcheck: "false", "aria-label": "Position to find" });
    const said = h("span", { role: "status", class: "note" });
    const find = async (event) => {
      event.preventDefault();
      const found = await guarded(() => this.source.find(input.value.trim()));
      if (!found) return;
      said.textContent = found.found ? "" : "No line of this strategy needs this position.";
      if (found.found) location.hash = link("walk", [this.source.id, String(this.source.part)], { start: found.position, plies: found.plies });
    };
    return h("form", { class: "find", onsubmit: find }, h("h2", {}, "Find a position"), input, h("button", { type: "submit" }, "Find"), said);
  }

  exports() {
    const names = { moves: "Moves", usi: "USI", kif: "KIF" };
    const name = this.about.game.replace(/[^a-z0-9]+/gi, "-");
    const endings = { moves: "txt", usi: "usi", kif: "kif" };
    const line = (form) => h("button", { type: "button", onclick: () => guarded(async () => save(`${name}.${endings[form]}`, await this.source.text(this.whole(), form), "text/plain")) }, names[form]);
    return h("div", { class: "exports" }, h("h2", {}, "Save"), h("span", {}, "The line as "), this.about.forms.map(line), h("span", {}, "the board as "),
      h("button", { type: "button", onclick: () => savePicture(this.board.svg, name) }, "SVG"));
  }

  whole() {
    return this.line.length > this.moves.length ? this.line : this.moves;
  }

  // ---- going somewhere ----

  async go(moves) {
    const node = await guarded(() => this.source.node(moves));
    if (!this.host.isConnected) return; // somebody left meanwhile
    if (!node) {
      if (this.node) this.paint();
      return;
    }
    const onLine = moves.every((move, i) => this.line[i] === move);
    if (!onLine || moves.length > this.line.length) this.line = moves;
    this.moves = moves;
    this.node = node;
    history.replaceState(null, "", this.source.link("walk", moves));
    remember("walk", this.source.link("walk", moves));
    this.paint();
    guarded(() => this.tree.show(moves));
  }

  async next() {
    const on = this.line[this.moves.length] ?? this.node.children[0]?.move;
    if (on !== undefined) await this.go([...this.moves, on]);
  }

  async back() {
    if (this.moves.length) await this.go(this.moves.slice(0, -1));
  }

  async toEnd() {
    if (this.line.length <= this.moves.length) await this.findLine(false);
    await this.go(this.line);
  }

  async follow(shortest) {
    const found = await this.findLine(shortest);
    this.paint();
    const how = found.exact ? (shortest ? "The shortest line" : this.part.verdict === "proven" ? "The longest line" : "A line of first moves") : "A short line, perhaps not the shortest,";
    this.said = `${how} from here has ${this.line.length - this.moves.length} plies; ${found.ending ? ending(this.players, found.ending) : "it goes on"}.`;
    this.caption.textContent = this.said;
  }

  async findLine(shortest) {
    const found = await this.source.line(this.moves, shortest);
    this.line = found.moves;
    return found;
  }

  async sibling(step) {
    if (!this.moves.length) return;
    const before = this.moves.slice(0, -1);
    const { children } = await this.source.node(before);
    const at = children.findIndex((child) => child.move === this.moves.at(-1));
    const goal = children[at + step];
    if (goal) await this.go([...before, goal.move]);
  }

  key(event) {
    if (event.target.closest("input, textarea, select") || event.ctrlKey || event.metaKey || event.altKey) return;
    const action = { n: () => this.next(), p: () => this.back(), "[": () => this.sibling(-1), "]": () => this.sibling(1), Home: () => this.go([]), End: () => this.toEnd() }[event.key];
    if (!action) return;
    event.preventDefault();
    this.then(action);
  }

  // One step after the other, however fast the keys come, and all after the first place.
  then(action) {
    this.steps = (this.steps ?? Promise.resolve()).then(() => guarded(action));
    return this.steps;
  }

  // ---- showing it ----

  paint() {
    const { node } = this;
    this.board.show({ game: this.about.game, position: node.position, extra: node.extra, picture: node.picture, moves: node.children.map((child) => child.move), last: this.moves.at(-1), hint: node.answer });
    this.caption.textContent = this.situation(node);
    this.paintTrail();
    this.paintChoices(node);
  }

  situation(node) {
    if (node.ending) return `${upper(ending(this.players, node.ending))}.`;
    const mover = player(this.players, node.side);
    const left = node.plies === null ? "" : ` ${node.plies} plies are left.`;
    if (node.answer === null) return `${upper(mover)} can try ${count(node.children.length + node.omitted, "move")}.${left}`;
    const proven = this.part.verdict === "proven" && node.rank ? `; at most ${count(node.rank, "move")} of its own to the win` : "";
    return `${upper(mover)} plays ${node.answer}${proven}.${left}`;
  }

  paintTrail() {
    const step = (move, i) => h("button", { type: "button", class: i < this.moves.length ? "step" : "step ahead", "aria-current": i === this.moves.length - 1 ? "true" : null, onclick: () => this.go(this.line.slice(0, i + 1)) }, `${i + 1}. ${move}`);
    const from = Math.max(0, this.moves.length - 30);
    const shown = this.line.slice(from, this.moves.length + 40);
    replace(this.trail, from ? h("span", { class: "note" }, `${from} moves … `) : null, shown.map((move, i) => step(move, from + i)),
      this.line.length > this.moves.length + 40 ? h("span", { class: "note" }, `… ${this.line.length - this.moves.length - 40} more`) : null);
  }

  describe(child) {
    if (child.ending) return ending(this.players, child.ending);
    if (child.rank === null) return child.answer === null ? "" : `then ${child.answer}`;
    const moves = count(child.rank, "move");
    return child.answer === null ? (child.rank ? `at most ${moves} more` : "") : `then ${child.answer}, won in ${moves}`;
  }

  paintChoices(node) {
    if (node.ending) {
      replace(this.choices, h("p", { class: "end" }, `${upper(ending(this.players, node.ending))}.`));
      return;
    }
    const rows = node.children.map((child) => h("tr", { class: child.ending ? "ends" : "" },
      h("td", {}, h("button", { type: "button", class: "move", onclick: () => this.go([...this.moves, child.move]) }, child.move)),
      h("td", {}, child.answer ?? ""), h("td", {}, child.ending ? ending(this.players, child.ending) : child.rank === null ? "" : `${child.rank}`)));
    if (node.answer !== null) {
      const cover = node.cover ? " (an answer that also serves positions at least this good)" : "";
      replace(this.choices, h("p", {}, `${upper(player(this.players, node.side))} plays `, rows.length ? h("button", { type: "button", class: "move good", onclick: () => this.next() }, node.answer) : node.answer, `${cover}.`));
      return;
    }
    const loser = player(this.players, node.side);
    const length = this.part.verdict === "proven" ? "moves to the win" : "ends";
    replace(this.choices, h("p", {}, this.part.verdict === "proven" ? `Nothing that ${loser} does helps. The longest defence comes first.` : `For each try of ${loser}, the answer of ${player(this.players, other(node.side))}.`),
      h("div", { class: "scroll" }, h("table", {}, h("thead", {}, h("tr", {}, ["try", "answer", length].map((text) => h("th", { scope: "col" }, text)))), h("tbody", {}, rows))),
      node.omitted ? h("p", { class: "note" }, `${node.omitted} more`) : null);
  }
}
