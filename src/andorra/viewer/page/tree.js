// The tree of lines, opened as far as somebody wants to see it. A position that came before is
// shown once; where it comes again, a sign leads there.
import { h, replace } from "./dom.js";

const MOST_ROWS = 400;
const ABOVE = 40;
const DEEPEST = 14;

export class Tree {
  constructor(source, { onselect, describe }) {
    this.source = source;
    this.onselect = onselect;
    this.describe = describe;
    this.open = new Set();
    this.host = h("div", { class: "tree", role: "tree", "aria-label": "Lines of play" });
    this.host.addEventListener("keydown", (event) => this.key(event));
  }

  async show(moves) {
    this.current = moves;
    this.base = moves.slice(0, Math.max(0, moves.length - ABOVE));
    for (let count = this.base.length; count <= moves.length; count++) {
      const prefix = moves.slice(0, count);
      this.open.add(prefix.join(" "));
      await this.source.node(prefix);
      if (this.current !== moves) return; // somebody went on meanwhile
    }
    this.paint();
  }

  // The rows that can be seen, in order, and where each position comes first.
  rows() {
    const rows = [];
    const first = new Map();
    const visit = (moves, level) => {
      const node = this.source.known(moves);
      for (const child of node?.children ?? []) {
        if (rows.length >= MOST_ROWS) return;
        const path = [...moves, child.move];
        const place = `${child.position} ${child.plies ?? ""}`;
        const again = first.get(place);
        if (!again) first.set(place, path);
        const row = { path, child, level, again, side: node.side, holder: node.answer !== null };
        rows.push(row);
        const one = node.children.length === 1;
        if (!again && this.open.has(path.join(" "))) visit(path, one ? level : level + 1);
      }
    };
    visit(this.base, 1);
    return rows;
  }

  paint() {
    const rows = this.rows();
    const current = this.current.join(" ");
    const items = rows.map((row) => this.item(row, row.path.join(" ") === current));
    if (!items.some((item) => item.tabIndex === 0) && items.length) items[0].tabIndex = 0;
    const above = this.base.length ? h("button", { type: "button", class: "quiet", onclick: () => this.onselect(this.base) }, `↑ ${this.base.length} earlier moves`) : null;
    const more = rows.length >= MOST_ROWS ? h("p", { class: "note" }, "More is not shown; close some branches.") : null;
    const scroll = this.host.scrollTop;
    replace(this.host, above, items, more);
    this.host.scrollTop = scroll;
    this.host.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" });
  }

  item(row, selected) {
    const { path, child, level, again, side, holder } = row;
    const key = path.join(" ");
    const leaf = child.ending !== null || again;
    const opened = this.open.has(key) && !again;
    const words = again ? "seen above" : this.describe(child);
    return h("div", {
      role: "treeitem", class: `row ${side} ${holder ? "answer" : "defence"}`, "aria-level": level, "aria-selected": String(selected),
      "aria-expanded": leaf ? null : String(opened), tabindex: selected ? 0 : -1, "data-key": key,
      onclick: (event) => (event.target.classList.contains("twist") ? this.toggle(path) : this.choose(row)),
    },
    h("span", { class: "indent", "data-level": Math.min(level, DEEPEST) }), h("span", { class: "twist", "aria-hidden": "true" }, leaf ? (again ? "↺" : "•") : opened ? "▾" : "▸"),
    h("span", { class: "ply" }, `${path.length}.`), h("b", {}, child.move), h("small", {}, words));
  }

  choose(row) {
    this.onselect(row.again ?? row.path);
  }

  async toggle(path) {
    const key = path.join(" ");
    if (this.open.has(key)) this.open.delete(key);
    else {
      await this.source.node(path);
      this.open.add(key);
    }
    this.paint();
    this.host.querySelector(`[data-key="${CSS.escape(key)}"]`)?.focus();
  }

  // As trees are used with a keyboard: up and down, right opens, left closes or goes to the parent.
  key(event) {
    const items = [...this.host.querySelectorAll("[role=treeitem]")];
    const at = items.indexOf(document.activeElement);
    if (at < 0) return;
    const path = items[at].dataset.key.split(" ");
    const expanded = items[at].getAttribute("aria-expanded");
    const moved = { ArrowDown: at + 1, ArrowUp: at - 1 }[event.key];
    if (moved !== undefined) items[moved]?.focus();
    else if (event.key === "ArrowRight" && expanded === "false") this.toggle(path);
    else if (event.key === "ArrowRight" && expanded === "true") items[at + 1]?.focus();
    else if (event.key === "ArrowLeft" && expanded === "true") this.toggle(path);
    else if (event.key === "ArrowLeft") items.find((item) => item.dataset.key === path.slice(0, -1).join(" "))?.focus();
    else if (event.key === "Enter" || event.key === " ") items[at].click();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}
