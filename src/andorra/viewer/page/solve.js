// Solve: choose a game, set a position up, choose the question and how to search, and start.
import { post } from "./api.js";
import { Board } from "./boards/board.js";
import { choice, field, h, replace } from "./dom.js";
import { guarded, link, remember, state } from "./main.js";
import { ending, player, upper } from "./words.js";

const QUESTIONS = [
  ["win", "Can the side to move force a win?"],
  ["win:first", "Can the first player force a win?"],
  ["win:second", "Can the second player force a win?"],
  ["value", "What is the value of the game?"],
  ["shortest", "How short is the shortest win?"],
];

// What was set lasts while the page is open, so that one can come back and change it.
const kept = { game: null, parameters: "", data: "", position: null, history: [], editing: false, form: {} };

export async function showSolve(host, parts, query) {
  const { hello } = state;
  if (kept.game === null) begin(hello, query);
  const view = new SolveView(host, hello);
  await view.look();
}

function begin(hello, query) {
  const spec = query.get("game") ?? hello.opened.game ?? hello.own?.name ?? "mnk:3,3,3";
  [kept.game, kept.parameters] = split(spec);
  kept.position = query.get("position") ?? hello.opened.position ?? null;
  kept.data = hello.opened.data ?? "";
}

function split(spec) {
  const at = spec.indexOf(":");
  return at < 0 ? [spec, ""] : [spec.slice(0, at), spec.slice(at + 1)];
}

class SolveView {
  constructor(host, hello) {
    this.hello = hello;
    this.board = new Board({ onmove: (move) => this.play(move), onedit: (position) => this.set(position) });
    this.caption = h("p", { class: "caption", "aria-live": "polite" });
    this.tools = h("div", { class: "tools" });
    this.moves = h("div", { class: "moves" });
    this.problem = h("p", { class: "error", role: "alert", hidden: true });
    this.typing = false; // what is being typed is not written over
    this.text = h("textarea", { rows: 2, spellcheck: "false", oninput: () => { this.typing = true; }, onchange: (event) => this.set(event.target.value) });
    this.form = new SearchForm(hello, () => kept.game);
    const left = h("section", { class: "card", "aria-label": "Position" }, this.gameChoice(), this.board.host, this.caption, this.tools, this.moves,
      field("Position as text", this.text, "A board, an SFEN, a diagram or moves, as the game reads them."), this.problem);
    const right = h("section", { class: "card", "aria-label": "Search" }, h("h2", {}, "Ask"), this.form.host,
      h("button", { type: "button", class: "main", onclick: () => this.start() }, "Start"));
    replace(host, h("h1", {}, "Can this side force that?"),
      h("p", { class: "lead" }, "Choose a game, set up a position, and ask. The answer comes with a proof that you can walk through."),
      h("div", { class: "columns" }, left, right));
  }

  gameChoice() {
    const names = this.hello.games.map((game) => [game.name, game.summary.replace(/\.$/, "")]);
    if (this.hello.own) names.push([this.hello.own.name, `${this.hello.own.name}: rules of your own`]);
    const chosen = choice(names, this.isOwn() ? this.hello.own.name : kept.game, (name) => this.choose(name));
    chosen.setAttribute("data-name", "game");
    this.parameters = h("input", { value: kept.parameters, size: 8, spellcheck: "false", onchange: (event) => { kept.parameters = event.target.value.trim(); this.set(null); } });
    this.parameters.placeholder = this.info()?.parameters ?? "";
    this.data = h("textarea", { rows: 6, spellcheck: "false", placeholder: "dinner: or cook order\ncook: and rice beans\n…", onchange: (event) => { kept.data = event.target.value; this.set(null); } });
    this.data.value = kept.data;
    const more = kept.game === "graph" ? field("Graph", this.data, "A line a node: “A: or B C”, “B: and D E”, “D: win”.") : field("Parameters", this.parameters);
    return h("div", { class: kept.game === "graph" ? "game-choice tall" : "game-choice" }, field("Game", chosen), more);
  }

  isOwn() {
    return this.hello.own && kept.game === split(this.hello.own.name)[0];
  }

  info() {
    return this.hello.games.find((game) => game.name === kept.game);
  }

  choose(name) {
    [kept.game, kept.parameters] = split(name);
    kept.position = null;
    kept.history = [];
    kept.editing = false;
    kept.form.options = {};
    dispatchEvent(new HashChangeEvent("hashchange"));
  }

  spec() {
    return kept.parameters ? `${kept.game}:${kept.parameters}` : kept.game;
  }

  async set(position) {
    kept.history.push(kept.position);
    kept.position = position;
    this.typing = false;
    this.text.value = position ?? "";
    await this.look();
  }

  // A second click before the answer is there would play from a position that nobody has seen.
  async play(move) {
    if (this.board.host.ariaBusy !== "true") await this.look([move]);
  }

  // One after the other, however fast the clicks come; only the last answer is shown, for an earlier
  // one would put back a board that has been changed since.
  look(moves = []) {
    const mine = this.asked = (this.asked ?? 0) + 1;
    const isLast = () => mine === this.asked;
    this.board.host.ariaBusy = "true";
    this.looks = (this.looks ?? Promise.resolve()).then(() => this.ask(moves, isLast)).then(() => {
      if (isLast()) this.board.host.ariaBusy = "false";
    });
    return this.looks;
  }

  // Asks the server what the position is; a text that is none is explained, and the board stays.
  async ask(moves, isLast) {
    if (kept.game === "graph" && !kept.data.trim()) {
      this.complain("Paste a graph above: a line a node.");
      return;
    }
    const data = kept.game === "graph" ? kept.data : null;
    try {
      const found = await post("position", { game: this.spec(), data, position: kept.position, moves });
      if (moves.length) kept.history.push(kept.position);
      if (moves.length) kept.position = found.position;
      if (isLast()) this.show(found);
      this.complain("");
    } catch (error) {
      if (!kept.editing && this.found && isLast()) this.board.show({ ...this.found, editing: false });
      this.complain(error.message);
    }
  }

  complain(message) {
    this.problem.hidden = !message;
    this.problem.textContent = message;
  }

  show(found) {
    this.found = found;
    if (!this.typing) this.text.value = found.position;
    this.board.show({ ...found, editing: kept.editing });
    const end = found.outcome ? `${upper(ending(found.players, found.outcome))}.` : `${upper(player(found.players, found.side))} to move.`;
    this.caption.textContent = kept.editing ? `${end} Choose a piece below and click, or drag pieces.` : end;
    this.showTools(found);
    const listed = found.moves.slice(0, 60).map((move) => h("button", { type: "button", class: "move", onclick: () => this.play(move) }, move));
    const more = found.moves.length + found.omitted - listed.length;
    replace(this.moves, kept.editing || !listed.length ? [] : h("details", { open: !this.board.cells.size }, h("summary", {}, `Legal moves (${found.moves.length + found.omitted})`), listed, more > 0 ? h("span", {}, ` and ${more} more`) : null));
  }

  showTools(found) {
    const palette = this.board.family.palette?.(this.board.model);
    const button = (text, action, pressed) => h("button", { type: "button", "aria-pressed": pressed === undefined ? null : String(pressed), onclick: action }, text);
    const mode = (editing) => { kept.editing = editing; this.show(found); };
    replace(this.tools,
      palette ? [button("Play moves", () => mode(false), !kept.editing), button("Place pieces", () => mode(true), kept.editing)] : [],
      button("Back", () => { kept.position = kept.history.pop() ?? null; this.look(); }),
      button("Start again", () => this.set(null)),
      kept.editing ? this.board.palette(() => this.showTools(found)) : []);
  }

  async start() {
    const asked = this.form.read();
    const data = kept.game === "graph" ? kept.data : null;
    const fields = { game: this.spec(), data, position: kept.position, ...asked };
    const started = await guarded(() => post("searches", fields));
    if (!started) return;
    const goal = link("watch", [started.id]);
    remember("watch", goal);
    location.hash = goal;
  }
}

class SearchForm {
  constructor(hello, game) {
    this.hello = hello;
    this.game = game;
    this.values = kept.form;
    this.values.options ??= {};
    this.host = h("div", { class: "search-form" });
    this.draw();
  }

  set(name, value) {
    this.values[name] = value;
  }

  input(name, attributes) {
    return h("input", { value: this.values[name] ?? "", ...attributes, onchange: (event) => this.set(name, event.target.value.trim()) });
  }

  draw() {
    const algorithms = this.hello.algorithms.map((each) => [each.name, `${each.name}: ${each.summary}`]);
    const algorithm = this.values.algorithm ?? "dfpn";
    const usual = this.hello.games.find((game) => game.name === this.game())?.question ?? "win";
    const first = `${QUESTIONS.find(([value]) => value === usual)?.[1] ?? usual} (usual)`;
    const question = choice([["", first], ...QUESTIONS], this.values.question ?? "", (value) => this.set("question", value));
    question.setAttribute("data-name", "question");
    const certificate = h("input", { type: "checkbox", checked: this.values.certificate ?? true, onchange: (event) => this.set("certificate", event.target.checked) });
    const problems = h("textarea", { rows: 4, spellcheck: "false", onchange: (event) => this.set("problems", event.target.value) });
    problems.value = this.values.problems ?? "";
    const file = h("input", { type: "file", onchange: async (event) => { problems.value = (await event.target.files[0]?.text()) ?? ""; this.set("problems", problems.value); } });
    replace(this.host,
      field("Question", question),
      field("Within at most … plies", this.input("within", { inputmode: "numeric", placeholder: "no bound" })),
      field("Algorithm", choice(algorithms, algorithm, (value) => { this.set("algorithm", value); this.values.options = {}; this.draw(); })),
      h("details", { open: Object.keys(this.values.options).length > 0 }, h("summary", {}, "Options of the algorithm"), this.options(algorithm)),
      h("fieldset", {}, h("legend", {}, "Limits"),
        field("Seconds", this.input("seconds", { inputmode: "decimal", placeholder: "none" })),
        field("Nodes", this.input("nodes", { inputmode: "numeric", placeholder: "none" })),
        field("Memory", this.input("memory", { placeholder: "automatic" })),
        field("Threads", this.input("threads", { inputmode: "numeric", placeholder: "all cores" }))),
      h("details", { open: Boolean(this.values.problems) }, h("summary", {}, "Several problems"), field("One position a line", problems, "They are solved instead of the position on the board, one after the other."), field("From a file", file)),
      h("label", { class: "check" }, certificate, " Write a certificate, to walk and to play"));
  }

  options(algorithm) {
    const own = this.hello.games.find((game) => game.name === this.game())?.defaults ?? {};
    const rows = this.hello.algorithms.find((each) => each.name === algorithm).options;
    return rows.filter((row) => row.name !== "threads").map((row) => field(row.name, this.option(row, own[row.name] ?? row.default), `${row.help}. ${row.range.replaceAll("|", ", ").replace("..", " to ")}`));
  }

  option(row, usual) {
    const set = (value) => {
      if (value === "") delete this.values.options[row.name];
      else this.values.options[row.name] = value;
    };
    const chosen = this.values.options[row.name] ?? "";
    if (!row.range.includes("|")) return h("input", { value: chosen, placeholder: usual, onchange: (event) => set(event.target.value.trim()) });
    return choice([["", `${usual} (default)`], ...row.range.split("|").map((word) => [word, word])], chosen, set);
  }

  read() {
    const { question = "", within, algorithm, options, seconds, nodes, memory, threads, certificate = true, problems } = this.values;
    const bounded = within ? `${question && question.startsWith("win") ? question : "win"}<=${within}` : question;
    const number = (text) => (text ? Number(text) : null);
    return {
      question: question === "value" ? null : bounded || null,
      value: question === "value",
      algorithm: algorithm ?? "dfpn",
      options,
      seconds: number(seconds),
      nodes: number(nodes),
      threads: number(threads),
      memory: memory || null,
      certificate,
      problems: problems?.trim() ? problems : null,
    };
  }
}
