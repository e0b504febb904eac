// The editor: a flow that is built by mouse, and one that is built by keyboard alone. Both are published and run.
import { until } from "./server.mjs";

export const card = (page, name) => page.locator(".canvas .react-flow__node").filter({ has: page.getByText(name, { exact: true }) });
export const saved = (page) => page.locator(".editor-head .state").getByText("Saved", { exact: true }).waitFor();
const panel = (page) => page.locator(".editor-panel");

export async function openEditor(page, server, name) {
  await page.goto(`${server.origin}/console/flows/${name}/edit`);
  await page.locator(".editor .canvas").waitFor();
}

export const draftOf = async (server, name) => (await server.api("GET", `/api/v1/flows/${name}`)).document;

async function newFlow(page, server, name) {
  await page.goto(`${server.origin}/console/flows`);
  await page.getByRole("button", { name: "New flow" }).click();
  await page.getByRole("textbox", { name: "Name" }).fill(name);
  await page.getByRole("button", { name: "Make it" }).click();
  await page.locator(".editor .canvas").waitFor();
}

/** `whereTo` is asked again while the pointer is down: near its edge the canvas moves below the pointer. */
async function drag(page, from, whereTo, between = async () => undefined) {
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  let to = await whereTo();
  await page.mouse.move((from.x + to.x) / 2, (from.y + to.y) / 2 - 30, { steps: 4 });
  for (let times = 0; times < 20; ++times) {
    await page.mouse.move(to.x, to.y, { steps: 4 });
    const now = await whereTo();
    if (Math.hypot(now.x - to.x, now.y - to.y) < 2) break;
    to = now;
  }
  await between();
  await page.mouse.up();
}

async function centreOf(locator) {
  const { x, y, width, height } = await locator.boundingBox();
  return { x: x + width / 2, y: y + height / 2 };
}

export async function dropType(page, title, place) {
  const item = page.locator(".palette").getByRole("button", { name: title, exact: true }).first(); // a tool may have the name of a node
  await item.scrollIntoViewIfNeeded();
  const box = await page.locator(".editing").boundingBox();
  await drag(page, await centreOf(item), async () => ({ x: box.x + place[0], y: box.y + place[1] }));
  await card(page, title).first().waitFor();
}

const port = (page, node, id) => card(page, node).locator(`[data-handleid="${id}"]`);

export async function pull(page, [from, output], [to, input], between) {
  await drag(page, await centreOf(port(page, from, `out ${output}`)), () => centreOf(port(page, to, `in ${input}`)), between);
}

async function publishAndRun(page, check) {
  await page.getByRole("button", { name: "Publish", exact: true }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("It was not published before").waitFor();
  await dialog.getByLabel("Note").fill("first");
  await dialog.getByRole("button", { name: "Publish", exact: true }).click();
  await page.getByText("v1 is published.").waitFor();
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await dialog.getByRole("button", { name: "Run", exact: true }).click();
  await page.locator(".live-run .card[data-state=done]").nth(2).waitFor();
  check((await page.locator(".live-run .carried").count()) > 0, "the run of the draft is watched on its graph");
  await page.getByRole("button", { name: "Back to the draft" }).click();
  await page.locator(".editing .card").first().waitFor();
}

async function byMouse({ open, server, pictures, check }) {
  const { page } = await open();
  await newFlow(page, server, "by-mouse");
  await dropType(page, "Manual", [50, 100]);
  await dropType(page, "If", [50, 230]);
  await dropType(page, "Set fields", [270, 330]);
  await dropType(page, "Agent", [50, 480]);
  await pull(page, ["Manual", "main"], ["If", "main"]);
  await pull(page, ["If", "true"], ["Set fields", "main"]);
  await saved(page);
  await pull(page, ["Set fields", "main"], ["If", "main"], async () => {
    await page.locator(".connection-hint.tone-bad", { hasText: "circle" }).waitFor();
    await page.screenshot({ path: `${pictures}/editor-refused.png` });
  });
  await pull(page, ["If", "false"], ["Agent", "ai_model"], () => page.locator(".connection-hint.tone-bad", { hasText: "takes a model" }).waitFor());
  check((await page.locator(".react-flow__edge").count()) === 2, "a refused connection says why before the drop, and is not made");
  await card(page, "Agent").click();
  await page.keyboard.press("Delete");
  check((await card(page, "Agent").count()) === 0, "Delete deletes the selected node");
  await page.keyboard.press("Control+z");
  await card(page, "Agent").waitFor();
  await page.keyboard.press("Control+Shift+z");
  check((await card(page, "Agent").count()) === 0, "undo and redo");

  await card(page, "If").click();
  await panel(page).getByLabel("Condition", { exact: true }).fill("{{ $json.total > 100 }}");
  await card(page, "Manual").click();
  await panel(page).getByLabel("Example", { exact: true }).first().waitFor();
  await panel(page).getByLabel("Name of a new member of Example").fill("city");
  await panel(page).getByRole("button", { name: "Add to Example" }).click();
  await panel(page).getByLabel("city", { exact: true }).fill("Lahore");
  await page.keyboard.press("Backspace");
  check((await card(page, "Manual").count()) === 1, "Backspace in a text deletes no node");
  await card(page, "If").click();
  await panel(page).getByLabel("Condition", { exact: true }).fill('{{ $json.city.startsWith("L") }}');
  await card(page, "Set fields").click();
  await page.locator(".editor-panel .bad", { hasText: "fields" }).waitFor();
  check(true, "a problem stands at the field that it concerns");
  await page.getByRole("button", { name: /problem/ }).click();
  await page.locator(".problem", { hasText: "fields" }).first().click();
  check(await panel(page).evaluate((element) => element.contains(document.activeElement)), "a click on a problem leads to its field");
  await panel(page).getByLabel("Name of a new member of Fields").fill("words");
  await page.keyboard.press("Enter");
  await panel(page).getByLabel("words", { exact: true }).fill("{{ $json.city }} is large");
  await saved(page);
  await publishAndRun(page, check);

  await card(page, "Set fields").click();
  await panel(page).getByLabel("words", { exact: true }).click();
  await panel(page).locator(".preview", { hasText: "Lahor is large" }).waitFor();
  check(true, "an expression is shown with the last run's data, as the server computes it");
  await panel(page).getByRole("button", { name: "Expand words" }).click();
  await page.locator(".code-editor .cm-content").click();
  await page.keyboard.press("Control+End");
  await page.keyboard.type(" {{ $json.");
  await page.locator(".code-editor .cm-tooltip-autocomplete", { hasText: "city" }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").getByRole("button", { name: "Back" }).click();
  check(true, "the large editor completes the fields of the item");
  await page.locator(".editor-panel .node-name").fill("Words");
  await page.locator(".editor-panel .node-name").press("Enter");
  await saved(page);
  const { nodes, connections } = await draftOf(server, "by-mouse");
  check(nodes.length === 3 && connections.length === 2 && nodes[2].name === "Words", "all of it is in the draft");
  await page.screenshot({ path: `${pictures}/editor-by-mouse.png` });
}

async function byKeyboard({ open, server, check }) {
  const { page } = await open();
  await server.api("POST", "/api/v1/flows", { format: 1, name: "by-keyboard", nodes: [], connections: [] });
  await openEditor(page, server, "by-keyboard");
  const keys = page.keyboard;
  const add = async (words, title) => {
    await keys.press("a");
    await page.getByRole("dialog", { name: "Add a node" }).waitFor();
    await keys.type(words);
    await keys.press("Enter");
    await card(page, title).waitFor();
    await page.waitForFunction((name) => document.activeElement?.closest(".react-flow__node")?.textContent.includes(name), title);
  };
  await add("manual", "Manual");
  await add("set fields", "Set fields");
  check((await page.locator(".react-flow__edge").count()) === 1, "a node that is added beside another one is connected with it");
  await add("stop", "Stop with an error");
  await keys.press("Control+z");
  await card(page, "Stop with an error").waitFor({ state: "detached" });
  check(true, "undo takes an added node away, wherever the focus is");
  await keys.press("Escape");
  await add("wait", "Wait");
  for (let step = 0; step < 3; step += 1) await keys.press("Shift+ArrowDown");
  await keys.press("Enter");
  await page.waitForFunction(() => document.activeElement?.closest(".editor-panel"));
  await page.locator(".editor-panel").getByLabel("Duration", { exact: true }).focus();
  await keys.type("1ms");
  await keys.press("Escape");
  await page.waitForFunction(() => document.activeElement?.closest(".react-flow__node")?.textContent.includes("Wait"));
  check(true, "Enter opens a node, and Escape leads back to its card");
  await card(page, "Set fields").focus();
  await keys.press("Enter");
  await page.locator(".editor-panel").getByLabel("Name of a new member of Fields").focus();
  await keys.type("done");
  await keys.press("Enter");
  await page.locator(".editor-panel").getByLabel("done", { exact: true }).focus();
  await keys.type("yes");
  await keys.press("Escape");
  await saved(page);
  await page.waitForFunction(() => document.activeElement?.closest(".react-flow__node")?.textContent.includes("Set fields"));
  const edges = await page.locator(".react-flow__edge").count();
  await card(page, "Manual").focus();
  await keys.press("c");
  await page.getByRole("dialog", { name: "Connect Manual" }).waitFor();
  await keys.press("Enter"); // the first that fits is chosen
  await page.locator(".react-flow__edge").nth(edges).waitFor({ state: "attached" });
  check(true, "nodes are connected without a mouse");
  await saved(page);
  await page.getByRole("button", { name: "Publish", exact: true }).focus();
  await keys.press("Enter");
  await page.getByRole("dialog").getByText("It was not published before").waitFor();
  await page.getByRole("dialog").getByRole("button", { name: "Publish", exact: true }).focus();
  await keys.press("Enter");
  await page.getByText("v1 is published.").waitFor();
  const { job_id: job } = await server.api("POST", "/api/v1/flows/by-keyboard/run", {});
  await until(async () => (await server.api("GET", `/api/v1/executions/${job}`)).state === "completed", "the flow built by keyboard did not run");
  check(true, "a flow built by keyboard alone is published and runs");
}

async function copies({ open, server, check }) {
  const { context, page } = await open();
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await openEditor(page, server, "by-keyboard");
  await card(page, "Set fields").click();
  await page.keyboard.press("Control+c");
  await page.getByText("1 node copied.").waitFor();
  const text = await page.evaluate(() => navigator.clipboard.readText());
  check(JSON.parse(text).nodes[0].type === "set", "a copy is a text of JSON");
  await page.keyboard.press("Control+v");
  await card(page, "Set fields 2").waitFor();
  await page.keyboard.press("d");
  await page.locator(".canvas .card.disabled").waitFor();
  await page.keyboard.press("Control+d");
  await card(page, "Set fields 3").waitFor();
  await page.getByRole("button", { name: "Outline" }).click();
  await page.getByLabel("Find a node").fill("fields 3");
  check((await page.locator(".outline-line").count()) === 1, "the outline finds a node");
  await page.locator(".outline-line").click();
  await page.locator(".editor-panel .node-name").waitFor();
  await page.getByLabel("Find a node").fill("fields");
  await page.keyboard.press("Control+z"); // in a field it is the browser's
  check((await card(page, "Set fields 3").count()) === 1, "Ctrl Z in a field undoes no change of the flow");
  await page.getByRole("button", { name: "Tidy" }).click();
  await saved(page);
  const places = (await draftOf(server, "by-keyboard")).nodes.map(({ position }) => position.join());
  check(new Set(places).size === places.length, "tidy gives each node a place of its own");
}

export async function editor(world) {
  await byMouse(world);
  await byKeyboard(world);
  await copies(world);
}
