// Any game that has no family: the picture that its rules draw for a terminal.
import { h } from "../dom.js";

export const read = (game, position, extra, picture) => ({ position, picture: picture ?? position });

export function draw(model) {
  return { svg: h("pre", { class: "board text" }, model.picture), cells: new Map() };
}

export const steps = () => null;
export const palette = () => null;
