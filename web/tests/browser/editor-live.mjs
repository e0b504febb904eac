// A run that is watched on the canvas: words of a model as they arrive, what waits, and a server that is killed meanwhile.
import { looksRight } from "./browser.mjs";
import { card, openEditor } from "./editor.mjs";
import { flowOf } from "./flows.mjs";

const name = "told";
const flow = flowOf(name, [["Start", "manual"], ["Hold", "wait", { event: "go", timeout: "1h" }], ["Agent", "agent", { prompt: "Tell me." }], ["End", "set", { fields: { done: true } }]]);
flow.nodes.push({ id: "model", name: "Model", type: "model", position: [480, 160], parameters: { model: "pieces" } });
flow.connections.push({ from: "model", to: "n2", type: "ai_model" });

const cardIn = (page, node, state) => page.locator(`.live-run .card[data-state=${state}]`).filter({ has: page.getByText(node, { exact: true }) });

/** Words that come in two pieces, the second when it is asked for. */
function twoPieces(model, first, second) {
  let release;
  const gate = new Promise((resolve) => (release = resolve));
  model.pieces = async function* () {
    yield first;
    await gate;
    yield second;
  };
  return release;
}

/** Starts the draft, and lets it go where the page follows it. */
async function start(page, server) {
  const follows = page.waitForRequest((request) => /\/events\?.*execution(:|%3A)/.test(request.url()));
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Run", exact: true }).click();
  await cardIn(page, "Hold", "waiting").waitFor();
  await follows;
  await page.getByText("live", { exact: true }).first().waitFor();
  const { executions } = await server.api("GET", `/api/v1/executions?flow=${name}&limit=1`);
  await server.api("POST", `/api/v1/jobs/${executions[0].job_id}/events`, { type: "go" });
}

async function words(page, { server, model, pictures, check }) {
  const release = twoPieces(model, "Once upon ", "a time.");
  await start(page, server);
  await page.locator(".live-run .writes", { hasText: "Once upon" }).waitFor();
  await cardIn(page, "Agent", "running").click();
  await page.locator(".live-run .written-now", { hasText: "Once upon" }).waitFor();
  check((await page.locator(".live-run .written-now", { hasText: "a time" }).count()) === 0, "words of a model are in the live view while it writes");
  await page.screenshot({ path: `${pictures}/editor-live.png` });
  await looksRight(page, check, "the live view");
  release();
  await cardIn(page, "End", "done").waitFor();
  await page.locator(".live-run .written-now").waitFor({ state: "detached" });
  check((await page.locator(".inspector", { hasText: "Once upon a time." }).count()) === 1, "and the answer is there when it has ended");
  await page.getByRole("button", { name: "Back to the draft" }).click();
}

async function killed(page, { server, model, check }) {
  const release = twoPieces(model, "It was ", "a dark night.");
  await start(page, server);
  await page.locator(".live-run .writes", { hasText: "It was" }).waitFor();
  await server.kill();
  await page.getByText("stale since").first().waitFor();
  check((await page.locator(".live-run .card").count()) === flow.nodes.length, "the graph of the run stays while the server is away");
  release();
  model.pieces = undefined;
  await server.start();
  await cardIn(page, "End", "done").waitFor();
  check(true, "a run that the kill cut off ends in the live view");
  await page.getByRole("button", { name: "Back to the draft" }).click();
  await card(page, "Agent").waitFor();
}

export async function editorLive(world) {
  const { open, server, model } = world;
  await server.api("POST", "/api/v1/flows", flow);
  const { page } = await open();
  await openEditor(page, server, name);
  await card(page, "Agent").waitFor();
  try {
    for (const part of [words, killed]) await part(page, world);
  } finally {
    model.pieces = undefined;
  }
}
