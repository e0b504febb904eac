// A server of one tool, without packages.
const answers = {
  initialize: request => ({
    protocolVersion: request.params.protocolVersion,
    capabilities: {tools: {}},
    serverInfo: {name: "node", version: process.version},
  }),
  "tools/list": () => ({tools: [{name: "greet", description: "Greets.", inputSchema: {type: "object"}}]}),
};
require("readline").createInterface({input: process.stdin}).on("line", line => {
  const request = JSON.parse(line);
  if (request.id === undefined) return;
  const answer = answers[request.method];
  const outcome = answer ? {result: answer(request)} : {error: {code: -32601, message: "no such method"}};
  console.log(JSON.stringify({jsonrpc: "2.0", id: request.id, ...outcome}));
});
