// A place in a certificate: a part, where the line starts, and the moves from there.
import { get, post } from "./api.js";
import { link } from "./main.js";

const MOST_NODES = 3000;
const MOST_PLIES = 3000;

export class Source {
  constructor(id, part, start, plies) {
    this.id = id;
    this.part = part;
    this.start = start || null;
    this.plies = plies === null || plies === "" || plies === undefined ? null : Number(plies);
    this.nodes = new Map();
  }

  path(rest) {
    return `certificates/${encodeURIComponent(this.id)}${rest}`;
  }

  about() {
    return get(this.path(""));
  }

  fields(moves) {
    return { part: this.part, start: this.start, plies: this.plies, moves };
  }

  // What was looked at lately is kept; the page never holds more than a few thousand places.
  async node(moves) {
    const key = moves.join(" ");
    if (!this.nodes.has(key)) {
      const found = await post(this.path("/node"), this.fields(moves));
      this.nodes.set(key, found);
      if (this.nodes.size > MOST_NODES) this.nodes.delete(this.nodes.keys().next().value);
    }
    return this.nodes.get(key);
  }

  known(moves) {
    return this.nodes.get(moves.join(" "));
  }

  // The whole line to its end, a few dozen plies an answer.
  async line(moves, shortest) {
    let all = [...moves];
    while (all.length < MOST_PLIES) {
      const found = await post(this.path("/line"), { ...this.fields(all), shortest });
      all = [...all, ...found.moves];
      if (found.ending !== null || !found.moves.length) return { moves: all, ending: found.ending, exact: found.exact };
    }
    return { moves: all, ending: null, exact: false };
  }

  find(position) {
    return post(this.path("/find"), { part: this.part, position });
  }

  async text(moves, form) {
    return (await post(this.path("/export"), { ...this.fields(moves), form })).text;
  }

  link(view, moves) {
    return link(view, [this.id, String(this.part)], { start: this.start, plies: this.plies, moves: moves.join(" ") });
  }
}

export function sourceOf([id, part], query) {
  return new Source(id, Number(part ?? 0), query.get("start"), query.get("plies"));
}

export const movesOf = (query) => (query.get("moves") ?? "").split(" ").filter(Boolean);
