// Open consoles take little from those who bring work: the webhook's slowest answers with fifty streams, and without.
import { spawn } from "node:child_process";
import http from "node:http";

import { flowOf, publish } from "./flows.mjs";
import { until } from "./server.mjs";

const CONSOLES = 50;
const CONNECTIONS = 16;
const REQUESTS = 1_500;
const ROUNDS = 5;
const TOPICS = "jobs,counts,attention,lanes,approvals";

const median = (values) => [...values].sort((left, right) => left - right)[Math.floor(values.length / 2)];

/** The 99th of the answers' times, in milliseconds. */
async function load({ server }) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const times = [];
  let left = REQUESTS;
  const post = () =>
    new Promise((resolve, reject) => {
      const began = performance.now();
      const request = http.request({ agent, host: "127.0.0.1", port: server.port, path: "/hooks/consoles", method: "POST", headers: { Authorization: "Bearer hook", "Content-Type": "application/json" } }, (answer) => {
        answer.resume().once("end", () => {
          times.push(performance.now() - began);
          if (answer.statusCode === 202) resolve();
          else reject(new Error(`the webhook answers ${answer.statusCode}`));
        });
      });
      request.once("error", reject).end('{"text":"When does the ferry leave?"}');
    });
  await Promise.all(Array.from({ length: CONNECTIONS }, async () => {
    while (left-- > 0) await post();
  }));
  agent.destroy();
  await until(async () => (await server.sql("select count(*) from postrider.lane_run where ready_at is not null and ready_at <= now()")) === "0", "the executions do not end");
  return times.sort((one, other) => one - other)[Math.floor(times.length * 0.99)];
}

async function streamsOf({ origin }) {
  const metrics = await (await fetch(`${origin}/metrics`)).text();
  return Number(/^postrider_api_streams\{of="events"\} (\d+)/m.exec(metrics)?.[1] ?? 0);
}

/** In a process of their own, as browsers are. Returns what closes them. */
async function openStreams({ server }, cookie) {
  const before = await streamsOf(server);
  const address = `${server.origin}/api/v1/events?topics=${TOPICS}`;
  const streams = Array.from({ length: CONSOLES }, () => ["-o", "/dev/null", address]).flat();
  const reader = spawn("curl", ["-sN", "-Z", "--parallel-immediate", "--parallel-max", String(CONSOLES), "-H", `Cookie: ${cookie}`, "-H", "Sec-Fetch-Site: same-origin", ...streams], { stdio: "ignore" });
  await until(async () => (await streamsOf(server)) >= before + CONSOLES, "the streams do not open");
  return async () => {
    reader.kill();
    await until(async () => (await streamsOf(server)) <= before, "the streams do not end");
  };
}

export async function consoles(world) {
  await publish(world.server, flowOf("consoles", [["In", "webhook", { path: "consoles", secret: "hook" }], ["Note", "set", { fields: { seen: true } }]]));
  const [{ name, value }] = world.state.cookies;
  await load(world); // warms
  const ratios = [];
  const noise = [];
  for (let round = 0; round < ROUNDS; ++round) {
    const alone = await load(world);
    const close = await openStreams(world, `${name}=${value}`);
    const watched = await load(world);
    await close();
    const again = await load(world);
    ratios.push(watched / ((alone + again) / 2));
    noise.push(again / alone);
    world.report(`p99 of the webhook: ${alone.toFixed(1)} ms alone, ${watched.toFixed(1)} ms beside ${CONSOLES} consoles, ${again.toFixed(1)} ms alone again`);
  }
  const range = (values) => `${median(values).toFixed(2)} (${Math.min(...values).toFixed(2)} to ${Math.max(...values).toFixed(2)})`;
  world.report(`p99 beside ${CONSOLES} consoles, to alone: ${range(ratios)} (bar 1.2); noise, alone to alone: ${range(noise)}`);
}
