// Flows of the tests, and what starts them.

/** Nodes in a row: [name, type, parameters], the first is the trigger. */
export function flowOf(name, nodes, more = {}) {
  const ids = nodes.map((_node, index) => `n${index}`);
  return {
    format: 1,
    name,
    nodes: nodes.map(([title, type, parameters = {}], index) => ({ id: ids[index], name: title, type, position: [240 * index, 0], parameters })),
    connections: ids.slice(1).map((id, index) => ({ from: ids[index], to: id })),
    ...more,
  };
}

export const publish = (server, flow) => server.api("POST", "/api/v1/flows/import?publish=true&overwrite=true", flow);

/** Waits for an event "go". */
export const holding = flowOf("holding", [["Start", "manual"], ["Hold", "wait", { event: "go", timeout: "1h" }], ["End", "set", { fields: { done: true } }]]);

export async function startFlow(server, name, data = {}) {
  return (await server.api("POST", `/api/v1/flows/${name}/run`, { data })).job_id;
}

export async function beginChat(server, agent) {
  return (await server.api("POST", "/api/v1/conversations", { agent })).conversation_id;
}

export const post = (server, conversation, text) => server.api("POST", `/api/v1/conversations/${conversation}/messages`, { text });

/** Waits for the reply, or the question. */
export const tell = (server, conversation, text) => server.api("POST", `/api/v1/conversations/${conversation}/messages?wait=60`, { text });

/** How Telegram reaches the bot. */
export const doorOf = async (server) => (await server.sql("select name, webhook_secret from postrider.bot where webhook_secret is not null limit 1")).split("|");

/** A message of a person to the bot, as Telegram delivers it. */
export async function write(server, [bot, secret], { update, user, name, text }) {
  const from = { id: user, is_bot: false, first_name: name };
  const message = { message_id: update, from, chat: { id: user, type: "private", first_name: name }, date: Math.floor(Date.now() / 1000), text };
  await server.api("POST", `/telegram/${bot}`, { update_id: update, message }, { Authorization: "", "X-Telegram-Bot-Api-Secret-Token": secret });
}

/** Runs them eight at a time. */
export async function each(values, act) {
  const left = [...values.entries()];
  const worker = async () => {
    for (let next = left.shift(); next; next = left.shift()) await act(next[1], next[0]);
  };
  await Promise.all(Array.from({ length: 8 }, worker));
}
