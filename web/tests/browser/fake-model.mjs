// A model on this machine, with the protocol of OpenAI's chat completions, and its list of models. It answers what it is told to, can be told to wait, and
// writes in pieces where it is asked to: `pieces` makes them of the answer.
import http from "node:http";

/** `reply`: a text, or { tool, arguments }. */
function answerOf(reply, model) {
  const call = typeof reply === "string" ? undefined : { id: `call_${reply.tool}`, type: "function", function: { name: reply.tool, arguments: JSON.stringify(reply.arguments) } };
  const message = call ? { role: "assistant", content: null, tool_calls: [call] } : { role: "assistant", content: reply };
  return {
    id: "1", object: "chat.completion", created: 0, model,
    choices: [{ index: 0, finish_reason: call ? "tool_calls" : "stop", message }],
    usage: { prompt_tokens: 1_412, completion_tokens: 96, total_tokens: 1_508 },
  };
}

/** The pieces of a text, one after the other. */
async function writePieces(response, pieces, model) {
  const chunk = (delta, finish_reason = null) => response.write(`data: ${JSON.stringify({ id: "1", object: "chat.completion.chunk", created: 0, model, choices: [{ index: 0, delta, finish_reason }] })}\n\n`);
  response.writeHead(200, { "Content-Type": "text/event-stream" });
  for await (const content of pieces) chunk({ content });
  chunk({}, "stop");
  response.end("data: [DONE]\n\n");
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
    const reply = await model.answer(asked);
    if (reply === undefined) return response.writeHead(503).end();
    if (asked.stream) return writePieces(response, model.pieces?.(reply) ?? [reply], asked.model);
    response.writeHead(200, { "Content-Type": "application/json" }).end(JSON.stringify(answerOf(reply, asked.model)));
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
