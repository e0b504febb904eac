// The page runs nothing that comes in by what people, models, flows, tools and servers write.
import { beginChat, doorOf, each, flowOf, post, publish, startFlow, write } from "./flows.mjs";
import { missing, naughty, script, visit } from "./hostile.mjs";
import { until } from "./server.mjs";
import { settled } from "./world.mjs";

/** Says them all where a person can, and waits until the server has answered. */
async function plant(server, texts) {
  const mimic = flowOf("mimic", [["In <img src=x onerror=owned=1>", "chat"], ["Out", "telegram.send", { text: "{{ $json.text }}", format: "html" }]], { description: script });
  const fails = flowOf("fails", [["Start", "manual"], ["End", "stop", { message: "{{ $json.text }}" }]]);
  await publish(server, mimic);
  await publish(server, fails);
  const [said, tasks, door] = [await beginChat(server, "mimic"), await beginChat(server, "todo"), await doorOf(server)];
  const failed = [];
  await Promise.all([
    each(texts, (text) => post(server, said, text)),
    each([script, ...texts.filter((text) => text.length < 400).slice(0, 40)], (text) => post(server, tasks, `add ${text}`)),
    each(texts, async (text) => failed.push(await startFlow(server, "fails", { text }))),
    each(texts, (name, index) => write(server, door, { update: 900_000 + index, user: 7_000_000 + index, name, text: name })),
  ]);
  await write(server, door, { update: 990_000, user: 1000, name: script, text: script });
  await until(async () => (await server.api("GET", "/api/v1/jobs?state=available,running&limit=1")).jobs.length === 0, "the turns do not end");
  return { said, tasks, failed };
}

async function headers({ server, openNew, check }) {
  const wrong = new Set();
  const { context, page } = await openNew();
  page.on("response", async (response) => {
    const { pathname } = new URL(response.url());
    const all = await response.allHeaders();
    const has = (name, part) => (all[name] ?? "").includes(part) || wrong.add(`${pathname} lacks ${name}: ${part}`);
    has("x-content-type-options", "nosniff");
    has("referrer-policy", "no-referrer");
    if (pathname.startsWith("/api/")) return has("cache-control", "no-store");
    if (pathname === "/") return has("cache-control", "no-store");
    for (const part of ["default-src 'none'", "frame-ancestors 'none'", "form-action 'none'", "base-uri 'none'"]) has("content-security-policy", part);
    has("cache-control", pathname.startsWith("/console/assets/") ? "immutable" : "no-cache");
  });
  await page.goto(`${server.origin}/`);
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  await context.close();
  check(wrong.size === 0, `the page, its files and refused answers have the headers that protect them ${[...wrong].join("; ")}`);
}

export async function attack(world) {
  const { server, open, check } = world;
  const texts = [script, ...naughty()];
  const { said, tasks, failed } = await plant(server, texts);
  const { page } = await open();
  await visit(world, page, { chat: `/chat/${said}`, tasks: `/chat/${tasks}`, chats: "/chat", jobs: "/jobs", executions: "/executions", lanes: "/lanes", strangers: "/strangers", flows: "/flows", tools: "/tools", attention: "/", "a failed job": `/jobs/${failed[0]}`, "a failed execution": `/executions/${failed[0]}`, "a lane": "/lanes/1%3A1000%3A0", "a chat's lane": `/lanes/${encodeURIComponent(`chat:${said}`)}` });
  await page.goto(`${server.origin}/console/strangers`);
  await settled(page);
  const { strangers } = await server.api("GET", "/api/v1/strangers?limit=50");
  const lost = await missing(page, strangers.map(({ name }) => name));
  check(lost.length === 0, `names of strangers are shown as they are ${JSON.stringify(lost)}`);
  await headers(world);
}
