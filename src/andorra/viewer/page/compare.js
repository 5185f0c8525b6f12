// Compare: runs of several settings as curves, pairs and a table. Disagreements come first.
import { get } from "./api.js";
import { choice, field, h, replace } from "./dom.js";
import { link, remember } from "./main.js";
import { plot } from "./plot.js";
import { elapsed, number, short } from "./words.js";

const MOST_CURVES = 8;
const MOST_DOTS = 2000;

export async function showCompare(host, [id]) {
  const results = await get(`results/${encodeURIComponent(id)}`);
  remember("compare", link("compare", [id]));
  new CompareView(host, results);
}

const solved = (run) => run.answer !== null;

class CompareView {
  constructor(host, results) {
    this.runs = results.runs;
    this.settings = [...new Set(this.runs.map((run) => run.setting))];
    this.by = new Map(this.settings.map((name) => [name, new Map()]));
    this.runs.forEach((run) => this.by.get(run.setting).set(run.problem, run));
    this.measure = this.runs.some((run) => run.seconds !== null) ? "seconds" : "nodes";
    [this.one, this.two] = [this.settings[0], this.settings[1] ?? this.settings[0]];
    this.curves = h("div", {});
    this.pairs = h("div", {});
    const problems = new Set(this.runs.map((run) => run.problem)).size;
    replace(host, h("h1", {}, results.name), h("p", { class: "lead" }, `${number(this.runs.length)} runs of ${this.settings.length} settings on ${number(problems)} problems.`),
      this.disagreements(), this.table(), h("div", { class: "columns even" },
        h("section", { class: "card", "aria-label": "Solved over time" }, h("h2", {}, "How many are solved, and how soon"), this.measures(), this.curves),
        h("section", { class: "card", "aria-label": "Two settings" }, h("h2", {}, "Two settings, problem by problem"), this.pairChoice(), this.pairs)),
      results.skipped ? h("p", { class: "note" }, `${results.skipped} lines of the file are no runs.`) : null,
      results.left_out ? h("p", { class: "note" }, `${number(results.left_out)} runs are left out.`) : null);
    this.draw();
  }

  disagreements() {
    const said = new Map();
    this.runs.filter(solved).forEach((run) => said.set(run.problem, { ...said.get(run.problem), [run.setting]: run.answer }));
    const bad = [...said].filter(([, verdicts]) => new Set(Object.values(verdicts)).size > 1);
    if (!bad.length) return h("p", { class: "agree" }, "All settings agree wherever they answer.");
    const items = bad.slice(0, 50).map(([problem, verdicts]) => h("li", {}, h("code", {}, problem), ": ", Object.entries(verdicts).map(([name, verdict]) => `${name} ${verdict}`).join(", ")));
    return h("section", { class: "card disagree", role: "alert" }, h("h2", {}, `${bad.length} disagreement${bad.length > 1 ? "s" : ""}`), h("ul", {}, items));
  }

  table() {
    const sum = (runs, name) => runs.reduce((total, run) => total + (run[name] ?? 0), 0);
    const common = [...new Set(this.runs.map((run) => run.problem))].filter((problem) => this.settings.every((name) => { const run = this.by.get(name).get(problem); return run && solved(run); }));
    const rows = this.settings.map((name, i) => {
      const runs = [...this.by.get(name).values()];
      const both = common.map((problem) => this.by.get(name).get(problem));
      return h("tr", {}, h("th", { scope: "row" }, h("span", { class: `swatch series-${i % MOST_CURVES}` }), name), [`${runs.filter(solved).length} of ${runs.length}`, short(sum(runs, "nodes")), elapsed(sum(runs, "seconds")), short(sum(both, "nodes")), elapsed(sum(both, "seconds"))].map((text) => h("td", { class: "number" }, text)));
    });
    const heads = ["setting", "answered", "nodes", "CPU", `nodes on ${common.length} common`, "CPU on these"];
    return h("section", { class: "card", "aria-label": "Settings" }, h("div", { class: "scroll" }, h("table", {}, h("thead", {}, h("tr", {}, heads.map((text, i) => h("th", { scope: "col", class: i ? "number" : "" }, text)))), h("tbody", {}, rows))));
  }

  measures() {
    return field("Cost", choice([["seconds", "CPU seconds"], ["nodes", "nodes"]], this.measure, (value) => { this.measure = value; this.draw(); }));
  }

  pairChoice() {
    const names = this.settings.map((name) => [name, name]);
    return h("div", { class: "pair" }, field("Across", choice(names, this.one, (value) => { this.one = value; this.draw(); })), field("Up", choice(names, this.two, (value) => { this.two = value; this.draw(); })));
  }

  draw() {
    const unit = this.measure === "seconds" ? "CPU seconds" : "nodes";
    const floor = this.measure === "seconds" ? 1e-4 : 1;
    const cost = (run) => Math.max(run[this.measure] ?? NaN, floor);
    const curve = (name) => [...this.by.get(name).values()].filter(solved).map(cost).filter(Number.isFinite).sort((a, b) => a - b).map((value, i) => [value, i + 1]);
    const shown = this.settings.slice(0, MOST_CURVES);
    replace(this.curves, plot({ label: `Problems solved within so many ${unit}`, x: { name: unit, log: true }, y: { name: "solved" }, series: shown.map((name) => ({ name: name.slice(0, 18), points: curve(name), kind: "steps" })) }),
      this.settings.length > MOST_CURVES ? h("p", { class: "note" }, `The first ${MOST_CURVES} settings are shown.`) : null);
    const [one, two] = [this.by.get(this.one), this.by.get(this.two)];
    const both = [...one.keys()].filter((problem) => two.has(problem)).slice(0, MOST_DOTS);
    const dots = both.map((problem) => [cost(one.get(problem)), cost(two.get(problem))]);
    const open = both.map((problem) => (solved(one.get(problem)) && solved(two.get(problem)) ? "series-0" : "open"));
    const titles = both.map((problem, i) => `${problem}: ${dots[i].map(short).join(", ")}`);
    replace(this.pairs, plot({ label: `${unit} of ${this.one} and ${this.two}`, square: true, x: { name: `${unit}, ${this.one}`.slice(0, 46), log: true }, y: { name: `${unit}, ${this.two}`.slice(0, 46), log: true }, series: [{ name: "", points: dots, kind: "dots", titles, classes: open }] }),
      h("p", { class: "note" }, "Below the diagonal, the setting that goes up is the better one. Open circles: not answered by both."));
  }
}
