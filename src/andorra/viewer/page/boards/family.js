// The one list of board families. A family draws the positions of its games and says what a move
// looks like:
//   games                  the names of its games
//   read(game, position, extra)  the position as a model
//   draw(model, style)     { svg, cells: Map(id, { node, x, y, size, label }) }
//   steps(move, model)     the cells that one clicks to make the move
//   palette(model), sides(model), put(model, cell, piece), take(model, cell), write(model)  to set positions up
import * as balls from "./balls.js";
import * as edges from "./edges.js";
import * as network from "./network.js";
import * as pieces from "./pieces.js";
import * as shogi from "./shogi.js";
import * as stones from "./stones.js";
import * as text from "./text.js";
import * as toll from "./toll.js";

const FAMILIES = [stones, pieces, shogi, network, toll, edges, balls];

export function familyOf(game) {
  const name = game.split(":")[0];
  return FAMILIES.find((family) => family.games.includes(name)) ?? text;
}
