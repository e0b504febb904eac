// What is written into the editor is shown, kept and changed as it is: values of any form, texts in the large editor, names
// that are taken, JSON of other programs, and a draft that a run hides.
import { card, draftOf, openEditor, saved } from "./editor.mjs";
import { flowOf } from "./flows.mjs";

const panel = (page) => page.locator(".editor-panel");

async function jsonBody({ open, server, check }) {
  await server.api("POST", "/api/v1/flows", flowOf("json-body", [["Start", "manual"], ["Send", "http.request", { method: "POST", url: "https://example.org", body: { title: "a" } }]]));
  const { page } = await open();
  await openEditor(page, server, "json-body");
  await card(page, "Send").click();
  const form = panel(page).getByRole("group", { name: "Form of Body" });
  await form.getByRole("button", { name: "Text" }).click();
  check((await panel(page).getByLabel("Body", { exact: true }).inputValue()).includes('"title": "a"'), "JSON that becomes a text keeps its words");
  await page.getByRole("button", { name: "Undo" }).click();
  await form.getByRole("button", { name: "JSON", pressed: true }).waitFor();
  const shown = await panel(page).getByLabel("Body", { exact: true }).inputValue();
  check(JSON.parse(shown).title === "a", `JSON is shown as JSON: ${shown}`);
  await saved(page);
  check((await draftOf(server, "json-body")).nodes[1].parameters.body.title === "a", "and it is the same value in the draft");
}

// A list of completions that is open takes the first one.
async function escapeDialog(page) {
  for (let times = 0; times < 2 && (await page.getByRole("dialog").count()) > 0; ++times) await page.keyboard.press("Escape");
  await dialogGone(page);
}

// A closed dialog has no role, and is in the page until its owner is drawn again.
const dialogGone = (page) => page.locator(".editor-panel dialog").waitFor({ state: "detached" });

async function largeText({ open, server, check }) {
  await server.api("POST", "/api/v1/flows", flowOf("large-text", [["Start", "manual"], ["Mark", "set", { fields: { words: "first" } }]]));
  const { page } = await open();
  await openEditor(page, server, "large-text");
  await card(page, "Mark").click();
  const field = panel(page).getByLabel("words", { exact: true });
  await field.click();
  await panel(page).getByRole("button", { name: "Expand words" }).click();
  await page.locator(".code-editor .cm-content").click();
  await page.keyboard.press("Control+End");
  await page.keyboard.type(" and more");
  await escapeDialog(page);
  check((await field.inputValue()) === "first and more", "Escape in the large editor loses no text");
  await panel(page).getByRole("button", { name: "Expand words" }).click();
  await page.locator(".code-editor .cm-content").click();
  await page.keyboard.press("Control+End");
  await page.keyboard.type(", or not");
  await page.getByRole("dialog").getByRole("button", { name: "Back" }).click();
  await dialogGone(page);
  check((await field.inputValue()) === "first and more", "Back takes nothing of it");

  const name = panel(page).locator(".node-name");
  await name.fill("Start");
  await name.press("Enter");
  await panel(page).getByText("Another node has this name.").waitFor();
  await name.fill("Mark it");
  await name.press("Enter");
  await card(page, "Mark it").waitFor();
  await saved(page);
  check((await draftOf(server, "large-text")).nodes.map(({ name: own }) => own).join() === "Start,Mark it", "a name that is taken is refused with the reason");
}

async function foreign({ open, server, check }) {
  const { context, page } = await open();
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await openEditor(page, server, "large-text");
  await card(page, "Start").click();
  const text = JSON.stringify({ nodes: [{ id: "x y", name: "Odd", type: "set", position: { x: 1 } }, { id: "x y", name: "Odd", type: "set", position: [null, 3] }] });
  await page.evaluate((words) => navigator.clipboard.writeText(words), text);
  await page.keyboard.press("Control+v");
  await card(page, "Odd 2").waitFor();
  await saved(page);
  const { nodes } = await draftOf(server, "large-text");
  check(new Set(nodes.map(({ id }) => id)).size === 4, "nodes of other programs get ids of their own");
  check(nodes.every(({ position }) => position.every(Number.isFinite)), "and places");
}

async function hidden({ open, server, check }) {
  await server.api("POST", "/api/v1/flows", flowOf("hidden-draft", [["Start", "manual"], ["Mark", "set", { fields: { words: "first" } }]]));
  const { context, page } = await open();
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await openEditor(page, server, "hidden-draft");
  await card(page, "Start").click();
  await page.keyboard.press("Control+a");
  await page.keyboard.press("Control+c");
  await page.getByText("2 nodes copied.").waitFor();
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Run", exact: true }).click();
  await page.locator(".live-run .card").first().waitFor();
  for (const key of ["Control+v", "Control+d", "Control+z", "ArrowDown", "d", "a", "c", "Delete"]) await page.keyboard.press(key);
  check((await page.getByRole("dialog").count()) === 0, "keys of the draft open nothing while a run is shown");
  check((await page.getByRole("button", { name: "Undo" }).count()) === 0, "nor is there a button for it");
  const before = JSON.stringify(await draftOf(server, "hidden-draft"));
  await page.getByRole("button", { name: "Back to the draft" }).click();
  await page.locator(".editing .card").nth(1).waitFor();
  check((await page.locator(".editing .card").count()) === 2, "and they change nothing of the draft that it hides");
  await saved(page);
  check(JSON.stringify(await draftOf(server, "hidden-draft")) === before, "nor what is saved of it");
}

/** What a field shows beside its value: the address of a webhook, what models can do, and a warning of one that cannot. */
async function about({ open, server, check }) {
  const nodes = [
    { id: "hook", name: "Hook", type: "webhook", position: [0, 0], parameters: { path: "orders/new", secret: "hook" } },
    { id: "agent", name: "Agent", type: "agent", position: [300, 0], parameters: { prompt: "{{ $json.body.text }}" } },
    { id: "model", name: "Brain", type: "model.openai", position: [260, 180], parameters: { credential: "slow" } },
    { id: "sum", name: "Sum", type: "tool.calculator", position: [420, 180] },
  ];
  const connections = [{ from: "hook", to: "agent" }, { from: "model", to: "agent", type: "ai_model" }, { from: "sum", to: "agent", type: "ai_tool" }];
  await server.api("POST", "/api/v1/flows", { format: 1, name: "about-fields", settings: { lane: "{{ $session.user }}" }, nodes, connections });
  const { context, page } = await open();
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await openEditor(page, server, "about-fields");
  await card(page, "Hook").click();
  await panel(page).getByRole("button", { name: "Copy the address of Path" }).click();
  await page.getByText("The address is copied.").waitFor();
  check((await page.evaluate(() => navigator.clipboard.readText())) === `${server.origin}/hooks/orders/new`, "a webhook shows its full address, and a button copies it");
  await card(page, "Brain").click();
  const name = panel(page).getByLabel("Model", { exact: true });
  await name.click();
  await panel(page).getByRole("option").filter({ hasText: "plain" }).filter({ hasText: "no tools" }).waitFor();
  await name.fill("pla");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  check((await name.inputValue()) === "plain", "a model is chosen from the provider's own list, which says what it can do");
  await name.fill("");
  const entry = panel(page).getByLabel("Credential", { exact: true });
  await entry.fill("plain");
  await page.keyboard.press("Enter");
  await panel(page).locator(".warn-words", { hasText: "takes no tools" }).waitFor();
  check(true, "a model without tools is a warning at its field where the agent has tools");
  await page.getByRole("button", { name: /problem/ }).click();
  await page.locator(".problem", { hasText: "is not there yet" }).click();
  await page.waitForFunction(() => document.activeElement?.closest("[data-pointer]")?.dataset.pointer === "/settings/lane");
  check(true, "a click on a problem of the flow leads to its setting");
}

/** The page gives the focus to what is near when what had it leaves, but only to a person who was there. */
async function focus({ open, server, check }) {
  const { page } = await open();
  await page.goto(`${server.origin}/console/flows`);
  await page.getByRole("heading", { name: "Flows", level: 1 }).waitFor();
  const after = (press) =>
    page.evaluate(async (isAway) => {
      const list = document.createElement("ul");
      for (const tag of ["button", "input"]) list.appendChild(document.createElement("li")).appendChild(document.createElement(tag));
      document.body.append(list);
      const [first, second] = list.children;
      first.firstChild.focus();
      if (isAway) {
        first.firstChild.blur();
        document.body.dispatchEvent(new PointerEvent("pointerdown", { bubbles: true }));
      }
      first.remove();
      await new Promise((resolve) => setTimeout(resolve));
      const isNear = document.activeElement === second.firstChild;
      list.remove();
      return isNear;
    }, press);
  check(await after(false), "the focus goes to the row that took the place of its row");
  check(!(await after(true)), "it goes nowhere where the person had left the row");
}

export async function editorValues(world) {
  await jsonBody(world);
  await largeText(world);
  await foreign(world);
  await hidden(world);
  await about(world);
  await focus(world);
}
