// Questions to the server. A refusal becomes an error whose message is the server's own.

async function ask(path, options) {
  const response = await fetch(`/api/${path}`, options);
  let found;
  try {
    found = await response.json();
  } catch {
    throw new Error(`the server answered with ${response.status}`);
  }
  if (!response.ok) throw new Error(found.error ?? `the server answered with ${response.status}`);
  return found;
}

export const get = (path) => ask(path);

export function post(path, fields = {}) {
  const headers = { "content-type": "application/json" };
  return ask(path, { method: "POST", headers, body: JSON.stringify(fields) });
}
