// A server of the Model Context Protocol on standard input and output. Its tools are those of the file that it is started with.
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";

const tools = JSON.parse(readFileSync(process.argv[2], "utf8"));

const answers = {
  initialize: ({ protocolVersion }) => ({ protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "notes", version: "2.1" } }),
  "tools/list": () => ({ tools: tools.map(({ answer, ...tool }) => tool) }),
  "tools/call": ({ name }) => ({ content: [{ type: "text", text: tools.find((tool) => tool.name === name)?.answer ?? "" }] }),
  ping: () => ({}),
};

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) continue;
  const answer = answers[method];
  const body = answer ? { result: answer(params ?? {}) } : { error: { code: -32601, message: `there is no ${method}` } };
  console.log(JSON.stringify({ jsonrpc: "2.0", id, ...body }));
}
