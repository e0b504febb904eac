// Trying a draft before it is published: pinned items, runs up to a node, replays, what it changes, and the way back.
import { card, draftOf, openEditor, saved } from "./editor.mjs";
import { flowOf, publish, startFlow } from "./flows.mjs";
import { until } from "./server.mjs";

const name = "tried";
const panel = (page) => page.locator(".editor-panel");
const flow = flowOf(name, [["Start", "manual"], ["Fetch", "set", { fields: { total: 19 } }], ["Mark", "set", { fields: { words: "in all {{ $json.total }}" } }], ["End", "set", { fields: { done: true } }]]);

async function pinned(page, { server, check }) {
  await card(page, "Fetch").click();
  await panel(page).getByRole("button", { name: "Data", exact: true }).click();
  await panel(page).getByRole("button", { name: "Pin its output" }).click();
  await page.getByText("The output of Fetch is pinned.").waitFor();
  await panel(page).getByLabel("Pinned items", { exact: true }).last().fill('[{"total": 20}]');
  await card(page, "Fetch").getByText("pinned").waitFor();
  await saved(page);
  check((await draftOf(server, name)).pinned.Fetch[0].total === 20, "an output of the last execution is pinned, and changed as JSON");
}

async function runToHere(page, { server, pictures, check }) {
  await card(page, "Mark").click();
  await panel(page).getByRole("button", { name: "Run to here" }).click();
  const dialog = page.getByRole("dialog", { name: "Run the draft?" });
  await dialog.getByLabel("Use the pinned items of 1 node: they do not run").waitFor();
  check((await dialog.getByLabel("Extent").inputValue()) === "to", "the run ends at the node");
  await dialog.getByRole("button", { name: "Run", exact: true }).click();
  await page.locator(".live-run .card[data-state=done]", { hasText: "Mark" }).waitFor();
  await page.screenshot({ path: `${pictures}/editor-run-to-here.png` });
  const { executions } = await server.api("GET", `/api/v1/executions?flow=${name}&limit=1`);
  await until(async () => (await server.api("GET", `/api/v1/executions/${executions[0].job_id}`)).state === "completed", "the run did not end");
  const { nodes } = await server.api("GET", `/api/v1/executions/${executions[0].job_id}`);
  const of = (title) => nodes.find((node) => node.name === title);
  check(of("Fetch").pinned === true && of("Mark").outputs.main[0].words === "in all 20" && of("End").state === "skipped", "it takes the pinned items, and nothing behind the node runs");
  await page.getByRole("button", { name: "Back to the draft" }).click();
  await card(page, "Fetch").click();
  await panel(page).getByRole("button", { name: "Data", exact: true }).click();
  await panel(page).getByRole("button", { name: "Unpin" }).click();
  await saved(page);
  check((await draftOf(server, name)).pinned === undefined, "pinned items are taken away again");
}

async function replayed(page, { check, pictures }) {
  await card(page, "Mark").click();
  await panel(page).getByLabel("words", { exact: true }).fill("{{ $json.total }} in all");
  await saved(page);
  await page.getByRole("button", { name: "Publish", exact: true }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Replay the last ten executions" }).click();
  await dialog.locator(".replayed", { hasText: "Mark" }).waitFor();
  check((await dialog.locator(".replayed .state").first().textContent()) === "changed", "the last executions run through the draft, and say what differs");
  await page.screenshot({ path: `${pictures}/editor-replays.png` });
  await dialog.getByRole("button", { name: "Back" }).click();
}

async function drawn(page, { check, pictures }) {
  await page.getByRole("button", { name: "Changes" }).click();
  const changed = page.locator(".live-run .card[data-change=changed]");
  await changed.waitFor();
  check((await changed.locator("strong").textContent()) === "Mark" && (await page.locator(".live-run .card[data-change]").count()) === 1, "the changes of the draft are drawn");
  check((await changed.locator(".card-mark").textContent()) === "~", "with a sign beside the colour");
  await changed.click();
  await page.locator(".inspector del", { hasText: "in all" }).waitFor();
  check((await page.locator(".inspector ins").count()) > 0, "and the words that differ are marked");
  await page.screenshot({ path: `${pictures}/editor-changes.png` });
  await page.getByRole("button", { name: "Back to the draft" }).click();
}

async function completed(page, { check }) {
  await card(page, "Mark").click();
  await panel(page).getByLabel("words", { exact: true }).click();
  await panel(page).getByRole("button", { name: "Expand words" }).click();
  await page.locator(".code-editor .cm-content").click();
  await page.keyboard.press("Control+End");
  await page.keyboard.type(" {{ $json.total.padE");
  await page.locator(".code-editor .cm-tooltip-autocomplete", { hasText: "padEnd" }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").getByRole("button", { name: "Back" }).click();
  check(true, "the large editor completes the server's functions");
}

async function rolledBack(page, { server, check }) {
  await page.getByRole("button", { name: "Publish", exact: true }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Publish", exact: true }).click();
  await page.getByText("v2 is published.").waitFor();
  await page.goto(`${server.origin}/console/flows/${name}`);
  await page.getByRole("button", { name: "Roll back to version 1" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Roll back" }).click();
  await page.getByText(`${name} runs as in v1 again, as v3.`).waitFor();
  const { document, published_version: version } = await server.api("GET", `/api/v1/flows/${name}`);
  check(version === 3 && document.nodes[2].parameters.fields.words === "in all {{ $json.total }}", "an earlier version is published again by one click");
}

export async function editorRuns(world) {
  const { open, server } = world;
  await publish(server, flow);
  const job = await startFlow(server, name);
  await until(async () => (await server.api("GET", `/api/v1/executions/${job}`)).state === "completed", "the flow did not run");
  const { page } = await open();
  await openEditor(page, server, name);
  for (const part of [pinned, runToHere, replayed, drawn, completed, rolledBack]) await part(page, world);
}
