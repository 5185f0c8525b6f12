// What results and places are called in plain words.

export function player(players, side) {
  const name = players?.[side === "first" ? 0 : 1];
  const plain = side === "first" ? "the first player" : "the second player";
  if (!name || name === "or" || name === "and") return plain;
  if (/^(the|all) /.test(name)) return name;
  return name.length > 2 ? `the ${name}` : `${name} (${plain.slice(4)})`;
}

export const count = (many, what) => `${number(many)} ${what}${many === 1 ? "" : "s"}`;

export const upper = (text) => text.charAt(0).toUpperCase() + text.slice(1);

export const other = (side) => (side === "first" ? "second" : "first");

export function number(value) {
  if (value === null || value === undefined) return "∞";
  return Math.round(value).toLocaleString("en");
}

export function short(value) {
  if (value === null || value === undefined) return "∞";
  for (const [size, unit] of [[1e12, "T"], [1e9, "G"], [1e6, "M"], [1e3, "k"]]) {
    if (value >= size) return `${Number((value / size).toPrecision(3))}${unit}`;
  }
  if (value > 0 && value < 0.01) return value.toExponential(0);
  return value >= 100 || Number.isInteger(value) ? String(Math.round(value)) : String(Number(value.toPrecision(2)));
}

export function elapsed(seconds) {
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  const whole = Math.floor(seconds);
  const two = (value) => String(value).padStart(2, "0");
  const minutes = Math.floor(whole / 60) % 60;
  const hours = Math.floor(whole / 3600);
  return hours ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
}

export function ending(players, end) {
  if (end === "first" || end === "second") return `${player(players, end)} has won`.replace("the cops has", "the cops have");
  return { draw: "a draw", "no plies left": "no plies are left", repetition: "a position comes again" }[end] ?? end;
}

// The claim of a certificate's part: "x (first player) can force a win."
export function claim(players, part) {
  const within = part.within === null ? "" : ` within ${part.within} plies`;
  const can = part.verdict === "proven" ? "can force a win" : "cannot force a win";
  return `${upper(player(players, part.prover))} ${can}${within}.`;
}

export function why(players, part) {
  const holder = player(players, part.holder);
  if (part.verdict === "proven") {
    return `Whatever ${player(players, other(part.holder))} does, ${holder} has one move in each position that keeps the win. Here they are.`;
  }
  return `${upper(holder)} has an answer to every try, and the win never comes. Here are the answers.`;
}

export function verdict(result, players) {
  const prover = player(players, result.prover);
  if (result.question === "value" && result.value) {
    const values = { win: "the first player wins", loss: "the second player wins", draw: "it is a draw" };
    return `With best play ${values[result.value]}.`;
  }
  if (result.verdict === "unknown") return `Not answered: the limit on ${result.limit} was reached first.`.replace("the limit on interrupted was reached first", "the search was stopped").replace("the limit on no progress was reached first", "the search made no progress");
  if (result.length) return `${upper(prover)} wins in ${result.length} plies, and no fewer.`;
  const within = /<=(\d+)/.exec(result.question)?.[1];
  const bound = within ? ` within ${within} plies` : "";
  return `${upper(prover)} ${result.verdict === "proven" ? "can" : "cannot"} force a win${bound}.`;
}
