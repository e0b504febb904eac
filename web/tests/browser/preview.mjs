// For work on the pages: `node preview.mjs DIST PORT API TOKEN_FILE` serves a build of web/ (build.mjs DIST) with
// the API of a server that already runs. It answers what only a signed-in browser may ask as that server's owner.
import { readFileSync } from "node:fs";
import http from "node:http";

import { samples } from "./samples.mjs";

const [dist, port, api, tokenFile] = process.argv.slice(2);
const token = readFileSync(tokenFile, "utf8").trim();
const target = new URL(api);
const inTwelveHours = () => new Date(Date.now() + 12 * 3_600_000).toISOString();

const me = () => ({
  role: "owner",
  user_id: 1000,
  actor: "user 1000",
  session_id: 7,
  expires_at: inTwelveHours(),
  demo: true,
  version: "preview",
  time: new Date().toISOString(),
});

function forward(request, response) {
  const headers = { ...request.headers, host: target.host, authorization: `Bearer ${token}` };
  for (const name of ["origin", "cookie"]) delete headers[name];
  const call = http.request(new URL(request.url, target), { method: request.method, headers }, (answer) => {
    const sample = samples()[new URL(request.url, target).pathname];
    if (answer.statusCode === 404 && sample) return response.writeHead(200, { "Content-Type": "application/json" }).end(JSON.stringify(sample));
    response.writeHead(answer.statusCode, answer.headers);
    answer.pipe(response);
  });
  call.on("error", () => response.writeHead(502).end());
  request.pipe(call);
}

http
  .createServer((request, response) => {
    const path = new URL(request.url, "http://preview").pathname;
    if (path === "/api/v1/login" || path === "/api/v1/session") return response.writeHead(200).end("{}");
    if (path === "/api/v1/me") return response.writeHead(200, { "Content-Type": "application/json" }).end(JSON.stringify(me()));
    if (path.startsWith("/api/")) return forward(request, response);
    const assets = JSON.parse(readFileSync(`${dist}/manifest.json`, "utf8")); // a new build is shown at once
    const asset = assets.find((file) => file.path === path) ?? assets.find((file) => file.path === "/console");
    response.writeHead(200, { "Content-Type": asset.type }).end(readFileSync(asset.identity.file));
  })
  .listen(Number(port), "127.0.0.1");
