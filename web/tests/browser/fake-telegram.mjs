// The Bot API on this machine, for one bot that polls. People write by `say`; what the bot sends is kept in `sent`.
import http from "node:http";

const identity = { id: 4242, is_bot: true, first_name: "Island Ferries", username: "island_ferries_bot", can_join_groups: true };

export async function startTelegram() {
  const telegram = { sent: [], refuse: () => undefined };
  const updates = [];
  let number = 100;
  let wake = () => undefined;
  const results = {
    getMe: () => identity,
    getWebhookInfo: () => ({ url: "", has_custom_certificate: false, pending_update_count: 0 }),
    getUpdates: async ({ offset = 0 }) => {
      const due = () => updates.filter(({ update_id }) => update_id >= offset);
      if (!due().length) await Promise.race([new Promise((resolve) => (wake = resolve)), new Promise((resolve) => setTimeout(resolve, 2_000))]);
      return due();
    },
    sendMessage: ({ chat_id, text }) => {
      telegram.sent.push(text);
      return { message_id: (number += 1), date: Math.floor(Date.now() / 1000), chat: { id: chat_id, type: "private" }, text };
    },
  };
  const server = http.createServer(async (request, response) => {
    let body = "";
    for await (const piece of request) body += piece;
    const parameters = body.startsWith("{") ? JSON.parse(body) : Object.fromEntries(new URLSearchParams(body));
    const method = request.url.split("/").at(-1).split("?")[0];
    if (telegram.refuse(method, parameters) === "lose") return request.socket.destroy();
    const result = await (results[method] ?? (() => true))({ ...parameters, offset: Number(parameters.offset ?? 0) });
    response.writeHead(200, { "Content-Type": "application/json" }).end(JSON.stringify({ ok: true, result }));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  telegram.say = (user, name, text) => {
    number += 1;
    const [first_name, last_name] = name.split(" ");
    const from = { id: user, is_bot: false, first_name, last_name, language_code: "en" };
    updates.push({ update_id: number, message: { message_id: number, from, chat: { id: user, type: "private", first_name, last_name }, date: Math.floor(Date.now() / 1000), text } });
    wake();
  };
  telegram.url = `http://127.0.0.1:${server.address().port}`;
  telegram.stop = () => {
    server.closeAllConnections();
    server.close();
  };
  return telegram;
}
