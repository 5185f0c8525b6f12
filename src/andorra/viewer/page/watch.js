// Watch: a search while it runs, from its events. Memory and work of the page are bounded: points
// are thinned out (series.js), and the page draws at most five times a second, whatever comes.
import { get, post } from "./api.js";
import { Board } from "./boards/board.js";
import { h, replace } from "./dom.js";
import { guarded, link, remember } from "./main.js";
import { plot } from "./plot.js";
import { Series } from "./series.js";
import { elapsed, number, short, upper, player, verdict } from "./words.js";

const PAUSE = 200;
const MOST_ROWS = 500;
const MOST_CHILDREN = 12;
const NUMBERED = 9;
const SHOWN = 30;

// What its mover hopes for first: the prover a small proof number, the other a small disproof number.
const byHope = (proves) => (a, b) => {
  const [one, two] = proves ? ["pn", "dn"] : ["dn", "pn"];
  const value = (number) => number ?? Infinity;
  return value(a[one]) - value(b[one]) || value(b[two]) - value(a[two]) || 0;
};

export async function showWatch(host, [id]) {
  const about = await get(`searches/${encodeURIComponent(id)}`);
  remember("watch", link("watch", [id]));
  const view = new WatchView(host, id, about);
  const events = new EventSource(`/api/searches/${encodeURIComponent(id)}/events`);
  events.onmessage = (event) => {
    const news = JSON.parse(event.data);
    view.take(news);
    if (news.state !== "running") events.close();
  };
  return () => {
    events.close();
    view.close();
  };
}

export class WatchView {
  constructor(host, id, about) {
    this.id = id;
    this.about = about;
    this.series = new Series();
    this.rows = [];
    this.state = "running";
    this.drawn = 0;
    this.board = new Board();
    this.status = h("p", { class: "status", role: "status" }, "Starting …");
    this.figures = h("dl", { class: "figures" });
    this.plots = h("div", { class: "plots" });
    this.now = h("div", { class: "now" });
    this.answer = h("div", { class: "answer", "aria-live": "polite" });
    this.stop = h("button", { type: "button", class: "main stop", onclick: () => guarded(() => post(`searches/${id}/stop`)) }, "Stop");
    const asked = about.asked.question ?? "the game's own question";
    replace(host, h("h1", {}, about.start.game), h("p", { class: "lead" }, `${asked}, ${about.asked.algorithm}`),
      h("div", { class: "columns watch-columns" },
        h("section", { class: "card", "aria-label": "Position" }, this.board.host, h("p", { class: "caption" }, this.sideToMove()), this.now),
        h("section", { class: "card", "aria-label": "Search" }, h("div", { class: "status-line" }, this.status, this.stop), this.answer, this.figures, this.plots)));
    this.board.show({ ...about.start, moves: [] });
  }

  sideToMove() {
    const { start, problems } = this.about;
    const one = `${upper(player(start.players, start.side))} to move.`;
    return problems === null ? one : `${problems} problems; this is the first.`;
  }

  take(news) {
    if (news.points.length > 1 || news.rows_from === 0) this.restart(news);
    news.points.forEach((point) => this.add(point));
    this.rows.push(...news.rows);
    this.latest = news.now;
    this.state = news.state;
    this.error = news.error;
    this.plan();
  }

  // A stream that starts, or starts again, brings all that is known.
  restart(news) {
    if (news.points.length > 1) this.series = new Series();
    if (news.rows_from === 0) this.rows = [];
  }

  add(point) {
    if (this.series.last?.seconds !== point.seconds || this.series.last?.problem !== point.problem) this.series.add(point);
  }

  plan() {
    if (this.planned) return;
    const wait = this.state === "running" ? Math.max(0, PAUSE - (performance.now() - this.drawn)) : 0;
    this.planned = setTimeout(() => requestAnimationFrame(() => this.draw()), wait);
  }

  close() {
    clearTimeout(this.planned);
    this.closed = true;
  }

  draw() {
    this.planned = null;
    if (this.closed) return;
    this.drawn = performance.now();
    const points = this.series.points();
    const last = points.at(-1);
    if (last) this.drawFigures(last);
    if (points.length > 2) this.drawPlots(points);
    if (this.latest?.children.length) this.drawNow(this.latest, last);
    this.drawState(last);
  }

  drawFigures(last) {
    const shown = [
      ["Proof number", short(last.pn), "open leaves that must still be proven, at least"],
      ["Disproof number", short(last.dn), "open leaves that must still be disproven, at least"],
      ["Nodes", number(last.nodes), "positions visited"],
      ["Nodes a second", short(last.nodes_per_second), ""],
      ["Depth", number(last.depth), "plies of the current line"],
      ["Table", `${Math.round(100 * last.table_fill)}%`, "how full the memory of results is"],
      ["Collections", number(last.collections), "how often a full table has forgotten results"],
      ["Time", elapsed(last.seconds), ""],
    ];
    replace(this.figures, shown.map(([name, value, title]) => h("div", { title }, h("dt", {}, name), h("dd", {}, value))));
  }

  // Where the search is. The first moves are numbered on the board; of several problems, only the
  // first one's board is there.
  drawNow({ line, children }, { question }) {
    const one = this.about.problems === null;
    const running = this.state === "running";
    if (one) this.board.show({ ...this.about.start, moves: [], line: running ? line.slice(0, NUMBERED) : [] });
    const first = line[0];
    const prover = /first|>=/.test(question) ? "first" : "second";
    const rows = [...children].sort(byHope(this.about.start.side === prover)).slice(0, MOST_CHILDREN).map((child) => h("tr", { class: child.move === first ? "chosen" : "" },
      h("th", { scope: "row" }, child.move), h("td", { class: "number" }, short(child.pn)), h("td", { class: "number" }, short(child.dn))));
    const more = children.length > MOST_CHILDREN ? `, the best ${MOST_CHILDREN} of ${children.length}` : "";
    replace(this.now,
      running && line.length ? h("p", {}, h("b", {}, "Searching below "), h("span", { class: "line" }, line.slice(0, SHOWN).join(" "), line.length > SHOWN ? " …" : "")) : [],
      h("table", { class: "children" }, h("caption", {}, `Moves at the root${more}`),
        h("thead", {}, h("tr", {}, ["move", "proof number", "disproof number"].map((text, i) => h("th", { scope: "col", class: i ? "number" : "" }, text)))), h("tbody", {}, rows)));
  }

  drawPlots(points) {
    const time = { name: "time", format: elapsed };
    const of = (name) => points.map((point) => [point.seconds, point[name] ?? NaN]);
    replace(this.plots,
      plot({ width: 400, label: "Proof and disproof number over time", x: time, y: { name: "log scale", log: true }, series: [{ name: "proof", points: of("pn") }, { name: "disproof", points: of("dn") }] }),
      plot({ width: 400, label: "Nodes a second over time", x: time, y: { name: "nodes/s" }, series: [{ name: "nodes/s", points: of("nodes_per_second") }] }),
      plot({ width: 400, label: "Depth of the current line over time", x: time, y: { name: "plies" }, series: [{ name: "depth", points: of("depth") }] }),
      plot({ width: 400, label: "Table fill over time", x: time, y: { name: "per cent" }, series: [{ name: "table", points: points.map((point) => [point.seconds, 100 * point.table_fill]) }] }));
  }

  drawState(last) {
    const running = this.state === "running";
    this.stop.hidden = !running;
    const words = { search: "Searching", extract: "Writing the certificate" };
    const where = this.about.problems && last ? `, problem ${last.problem} of ${this.about.problems}` : "";
    this.status.textContent = running ? `${words[last?.event] ?? "Searching"} …${where}` : this.state === "failed" ? "The search failed." : "Done.";
    replace(this.answer, this.error ? h("p", { class: "error" }, this.error) : [], this.about.problems ? this.table() : this.rows[0] ? this.result(this.rows[0]) : []);
  }

  result(row) {
    const links = this.links(row);
    if (!row.certificate && row.verdict !== "unknown" && this.about.asked) links.push(h("span", {}, row.certificate_limit ? `no certificate: ${row.certificate_limit}` : ""));
    const line = row.line.length ? h("p", {}, h("b", {}, "Main line "), h("span", { class: "line" }, row.line.slice(0, 60).join(" "), row.line.length > 60 ? " …" : "")) : null;
    return h("div", { class: `result ${row.verdict}` }, h("p", { class: "verdict" }, verdict(row, this.about.start.players)),
      row.best_move ? h("p", {}, h("b", {}, "Best move "), row.best_move) : null, line,
      h("p", { class: "cost" }, `${number(row.nodes)} nodes, ${elapsed(row.wall_seconds)}`), h("p", { class: "links" }, links));
  }

  links(row) {
    if (!row.certificate) return [];
    remember("walk", link("walk", [row.certificate]));
    remember("play", link("play", [row.certificate]));
    const file = `/api/certificates/${encodeURIComponent(row.certificate)}/file`;
    return [h("a", { class: "button main", href: link("walk", [row.certificate]) }, "See why"), " ",
      h("a", { class: "button", href: link("play", [row.certificate]) }, "Play against it"), " ",
      h("a", { class: "button", href: file, download: "certificate.andorra" }, "Save the certificate")];
  }

  table() {
    const cells = (row) => row.error
      ? [h("td", { colspan: 4, class: "error" }, row.error)]
      : [h("td", { class: row.verdict }, row.value ?? row.verdict), h("td", {}, row.best_move ?? ""), h("td", { class: "number" }, number(row.nodes)),
        h("td", {}, row.certificate ? h("a", { href: link("walk", [row.certificate]) }, "why") : "")];
    const rows = this.rows.slice(-MOST_ROWS).map((row) => h("tr", {}, h("td", { class: "number" }, String(row.number)), h("td", { class: "position" }, row.position), cells(row)));
    return h("div", { class: "scroll" }, h("table", {}, h("thead", {}, h("tr", {}, ["", "position", "answer", "move", "nodes", ""].map((text) => h("th", { scope: "col" }, text)))), h("tbody", {}, rows)));
  }
}
