// A model on this machine, with the protocol of OpenAI's chat completions, and its list of models. It answers what it is told to, and can be told to wait.
import http from "node:http";

/** `said`: a text, or { tool, arguments }. */
function answerOf(said, model) {
  const call = typeof said === "string" ? undefined : { id: `call_${said.tool}`, type: "function", function: { name: said.tool, arguments: JSON.stringify(said.arguments) } };
  const message = call ? { role: "assistant", content: null, tool_calls: [call] } : { role: "assistant", content: said };
  return {
    id: "1", object: "chat.completion", created: 0, model,
    choices: [{ index: 0, finish_reason: call ? "tool_calls" : "stop", message }],
    usage: { prompt_tokens: 1_412, completion_tokens: 96, total_tokens: 1_508 },
  };
}

export async function startModel() {
  const model = { text: "Done.", held: undefined, calls: 0, answer: () => model.text };
  const server = http.createServer(async (request, response) => {
    if (request.method === "GET") return response.end(JSON.stringify({ object: "list", data: [{ id: "fake", object: "model" }] }));
    let body = "";
    for await (const piece of request) body += piece;
    model.calls += 1;
    await model.held;
    const asked = JSON.parse(body);
    const said = await model.answer(asked);
    if (said === undefined) return response.writeHead(503).end();
    response.writeHead(200, { "Content-Type": "application/json" }).end(JSON.stringify(answerOf(said, asked.model)));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  /** Calls wait from now on. Returns what lets them go. */
  model.hold = () => {
    let release;
    model.held = new Promise((resolve) => (release = resolve));
    return () => {
      model.held = undefined;
      release();
    };
  };
  model.url = `http://127.0.0.1:${server.address().port}/v1`;
  model.stop = () => {
    server.closeAllConnections();
    server.close();
  };
  return model;
}
