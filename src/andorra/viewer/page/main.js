// The page: which view the address names, and what all views share.
import { get } from "./api.js";
import { h, replace } from "./dom.js";
import { showCompare } from "./compare.js";
import { showPlay } from "./play.js";
import { showSolve } from "./solve.js";
import { showWalk } from "./walk.js";
import { showWatch } from "./watch.js";

const VIEWS = [
  ["solve", "Solve", showSolve],
  ["watch", "Watch", showWatch],
  ["walk", "Walk", showWalk],
  ["play", "Play", showPlay],
  ["compare", "Compare", showCompare],
];

// What the tabs lead to: the search, the certificate and the results that were looked at last.
export const state = { hello: null, watch: null, walk: null, play: null, compare: null };
let leave = null;

// "#/walk/ID/0?moves=a1" is { view: "walk", parts: ["ID", "0"], query }.
export function where() {
  const [path, query] = location.hash.replace(/^#\/?/, "").split("?");
  const [view, ...parts] = path.split("/").map(decodeURIComponent);
  return { view: view || "solve", parts, query: new URLSearchParams(query ?? "") };
}

export function link(view, parts = [], query = {}) {
  const said = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== null && value !== undefined && value !== ""));
  const path = [view, ...parts].map(encodeURIComponent).join("/");
  return `#/${path}${said.size ? `?${said}` : ""}`;
}

export function notice(text) {
  const host = document.getElementById("notice");
  host.hidden = !text;
  replace(host, text ? [h("span", {}, text), h("button", { type: "button", class: "quiet", "aria-label": "Close", onclick: () => notice("") }, "✕")] : []);
}

export async function guarded(action) {
  try {
    return await action();
  } catch (error) {
    notice(error.message);
    return undefined;
  }
}

// Made once and changed in place: a click on a tab that is replaced meanwhile would be lost.
const tabLinks = VIEWS.map(([name, title]) => ({ name, element: h("a", { class: "tab" }, title) }));

function tabs(view) {
  for (const { name, element } of tabLinks) {
    const goal = name === "solve" ? link("solve") : state[name];
    set(element, "href", goal);
    set(element, "title", goal ? null : "Nothing to show yet");
    set(element, "aria-current", goal && name === view ? "page" : null);
    element.classList.toggle("off", !goal);
  }
  const host = document.getElementById("tabs");
  if (!host.children.length) replace(host, tabLinks.map(({ element }) => element));
}

function set(element, name, value) {
  if (value) element.setAttribute(name, value);
  else element.removeAttribute(name);
}

export function remember(name, goal) {
  state[name] = goal;
  tabs(where().view);
}

let shown = 0;

async function show() {
  const mine = ++shown;
  const { view, parts, query } = where();
  const found = VIEWS.find(([name]) => name === view) ?? VIEWS[0];
  leave?.();
  leave = null;
  notice("");
  tabs(found[0]);
  document.title = `${found[1]} – Andorra`;
  const host = h("div", { class: `view ${found[0]}` });
  replace(document.getElementById("main"), host);
  const end = (await guarded(() => found[2](host, parts, query))) ?? null;
  if (mine === shown) leave = end;
  else end?.(); // somebody went on before it was there
}

function theme() {
  const root = document.documentElement;
  const kept = localStorage.getItem("andorra-theme");
  if (kept) root.dataset.theme = kept;
  document.getElementById("theme").addEventListener("click", () => {
    const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
    localStorage.setItem("andorra-theme", root.dataset.theme);
  });
}

async function start() {
  theme();
  try {
    state.hello = await get("hello");
  } catch (error) {
    replace(document.getElementById("main"), h("p", { class: "error" }, error.message));
    return;
  }
  const { certificate, results } = state.hello.opened;
  if (state.hello.running) state.watch = link("watch", [state.hello.running]);
  if (certificate) state.walk = link("walk", [certificate]);
  if (certificate) state.play = link("play", [certificate]);
  if (results) state.compare = link("compare", [results]);
  if (!location.hash && (state.walk ?? state.compare)) history.replaceState(null, "", state.walk ?? state.compare);
  addEventListener("hashchange", show);
  await show();
}

start();
