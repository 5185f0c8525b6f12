// Play: you take the side that must lose (or cannot win), and the certificate answers.
import { Board } from "./boards/board.js";
import { h, replace } from "./dom.js";
import { guarded, link, remember } from "./main.js";
import { sourceOf } from "./place.js";
import { claim, ending, other, player, upper } from "./words.js";

const PAUSE = 350;

export async function showPlay(host, parts, query) {
  const source = sourceOf(parts, query);
  const about = await source.about();
  remember("play", link("play", [source.id, String(source.part)]));
  const view = new PlayView(host, source, about);
  await view.begin();
  return () => { view.closed = true; };
}

class PlayView {
  constructor(host, source, about) {
    this.source = source;
    this.about = about;
    this.part = about.parts[source.part];
    this.you = other(this.part.holder);
    this.board = new Board({ onmove: (move) => guarded(() => this.yours(move)) });
    this.caption = h("p", { class: "caption", "aria-live": "assertive" });
    this.list = h("ol", { class: "played" });
    this.tries = h("div", { class: "moves" });
    this.end = h("div", { class: "answer", "aria-live": "polite" });
    const you = player(about.players, this.you);
    const goal = this.part.verdict === "proven" ? "You cannot escape. How long can you hold out?" : "You cannot force a win. Try anyway.";
    replace(host, h("h1", {}, `You are ${you}`), h("p", { class: "lead" }, `${claim(about.players, this.part)} ${goal}`),
      h("div", { class: "columns" },
        h("section", { class: "card", "aria-label": "Board" }, this.board.host, this.caption, this.tries,
          h("div", { class: "tools" }, h("button", { type: "button", onclick: () => guarded(() => this.takeBack()) }, "Take back"), h("button", { type: "button", onclick: () => guarded(() => this.begin()) }, "Start again"))),
        h("section", { class: "card", "aria-label": "Game" }, this.end, h("h2", {}, "Moves"), this.list)));
  }

  async begin() {
    this.moves = [];
    this.choices = [];
    this.seen = [];
    await this.look();
  }

  async yours(move) {
    const best = this.node.children[0];
    const made = this.node.children.find((child) => child.move === move);
    this.choices.push({ at: this.moves.length, move, rank: made.rank, best: best.move, most: best.rank });
    this.moves = [...this.moves, move];
    await this.look();
  }

  async takeBack() {
    const last = this.choices.pop();
    if (!last) return;
    this.moves = this.moves.slice(0, last.at);
    this.seen = this.seen.filter(([count]) => count < last.at);
    await this.look();
  }

  async look() {
    const node = await this.source.node(this.moves);
    this.node = node;
    const place = `${node.position} ${node.plies ?? ""}`;
    this.repeated = this.seen.some(([count, known]) => known === place && count < this.moves.length);
    this.seen.push([this.moves.length, place]);
    this.paint();
    if (this.over() || node.answer === null) return;
    const moves = this.moves;
    await new Promise((done) => setTimeout(done, matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : PAUSE));
    if (this.closed || this.moves !== moves) return;
    this.moves = [...moves, node.answer];
    await this.look();
  }

  over() {
    return this.node.ending !== null || this.repeated;
  }

  paint() {
    const { node, about } = this;
    const mine = node.answer === null && !this.over();
    const moves = mine ? node.children.map((child) => child.move) : [];
    this.board.show({ game: about.game, position: node.position, extra: node.extra, picture: node.picture, moves, last: this.moves.at(-1), hint: null });
    this.caption.textContent = this.situation(mine);
    const listed = moves.slice(0, 80).map((move) => h("button", { type: "button", class: "move", onclick: () => guarded(() => this.yours(move)) }, move));
    replace(this.tries, mine ? h("details", { open: !this.board.cells.size }, h("summary", {}, `Your moves (${moves.length})`), listed) : []);
    replace(this.list, this.moves.map((move, i) => h("li", { class: this.choices.some((choice) => choice.at === i) ? "you" : "it" }, move)));
    replace(this.end, this.over() ? this.summary() : []);
  }

  situation(mine) {
    if (this.node.ending) return `${upper(ending(this.about.players, this.node.ending))}.`;
    if (this.repeated) return "This position came before: you go round in circles, and that is no win.";
    const last = this.moves.at(-1);
    return mine ? `${last ? `It played ${last}. ` : ""}Your move.` : "It thinks of nothing: the answer is in the certificate.";
  }

  // Where each choice led, beside the one that would have lasted longest.
  summary() {
    const proof = this.part.verdict === "proven";
    const rows = this.choices.map((choice) => h("tr", {}, h("td", {}, `${choice.at + 1}. ${choice.move}`),
      proof ? [h("td", { class: "number" }, String(choice.rank)), h("td", {}, choice.rank === choice.most ? "nothing lasts longer" : `${choice.best} lasts ${choice.most}`)] : [h("td", { colspan: 2 }, "")],
      h("td", {}, h("a", { href: this.source.link("walk", this.moves.slice(0, choice.at)) }, "see"))));
    const lasted = `The game took ${this.moves.length} plies.`;
    const best = this.choices.filter((choice) => choice.rank === choice.most).length;
    const judged = proof && this.choices.length ? ` ${best} of your ${this.choices.length} choices were the most stubborn.` : "";
    return h("div", { class: "result over" }, h("p", { class: "verdict" }, `${this.situation(false)}`), h("p", {}, lasted + judged),
      rows.length ? h("div", { class: "scroll" }, h("table", {}, h("thead", {}, h("tr", {}, ["your move", proof ? "moves left" : "", proof ? "the longest" : "", ""].map((text) => h("th", { scope: "col" }, text)))), h("tbody", {}, rows))) : null);
  }
}
