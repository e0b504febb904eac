// Notes and groups beside the nodes: written, moved, sized, copied and undone by mouse and by keyboard; and what comes from n8n.
import { card, draftOf, openEditor, saved } from "./editor.mjs";
import { flowOf } from "./flows.mjs";

const panel = (page) => page.locator(".editor-panel");
const notes = (page) => page.locator(".canvas .note");

async function drag(page, from, [across, down]) {
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(from.x + across / 2, from.y + down / 2, { steps: 4 });
  await page.mouse.move(from.x + across, from.y + down, { steps: 4 });
  await page.mouse.up();
}

async function note({ open, server, pictures, check }) {
  await server.api("POST", "/api/v1/flows", flowOf("noted", [["Start", "manual"], ["Mark", "set", { fields: { words: "first" } }]]));
  const { context, page } = await open();
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await openEditor(page, server, "noted");
  await card(page, "Mark").waitFor();
  await page.keyboard.press("n");
  await page.waitForFunction(() => document.activeElement?.tagName === "TEXTAREA" && document.activeElement.closest(".editor-panel"));
  await page.keyboard.type("Look here");
  await panel(page).getByLabel("Colour").selectOption("blue");
  await page.locator(".canvas .note[data-color=blue]", { hasText: "Look here" }).waitFor();
  await saved(page);
  const [first] = (await draftOf(server, "noted")).notes;
  check(first.text === "Look here" && first.color === "blue", "a note is added, written and coloured by keyboard");

  await panel(page).getByLabel("Text").press("Escape");
  await page.waitForFunction(() => document.activeElement?.dataset.id?.startsWith("note:"));
  await page.keyboard.press("ArrowRight");
  await page.getByRole("button", { name: "Size of the note" }).focus();
  await page.keyboard.press("ArrowDown");
  await saved(page);
  const [moved] = (await draftOf(server, "noted")).notes;
  check(moved.x === first.x + 10 && moved.height === first.height + 10, "arrow keys move a note and give it another size");
  const corner = await page.getByRole("button", { name: "Size of the note" }).boundingBox();
  await drag(page, { x: corner.x + 8, y: corner.y + 8 }, [60, 30]);
  await saved(page);
  const [sized] = (await draftOf(server, "noted")).notes;
  check(sized.width > moved.width && sized.height > moved.height && sized.x === moved.x, "a drag of its corner gives it another size");
  await page.screenshot({ path: `${pictures}/editor-note.png` });

  await notes(page).first().click({ position: { x: 12, y: 6 } }); // cards lie above it
  await page.keyboard.press("Control+c");
  await page.getByText("1 note copied.").waitFor();
  await page.keyboard.press("Control+v");
  await notes(page).nth(1).waitFor();
  await page.keyboard.press("Delete");
  await notes(page).nth(1).waitFor({ state: "detached" });
  await page.keyboard.press("Control+z");
  await notes(page).nth(1).waitFor();
  check(true, "notes are copied, pasted, deleted, and come back by undo");
  await page.getByRole("button", { name: "Outline" }).click();
  check((await page.locator(".outline-line", { hasText: "Look here" }).count()) === 2, "the outline has the notes");
}

async function group({ open, server, check }) {
  await server.api("POST", "/api/v1/flows", flowOf("grouped", [["Start", "manual"], ["Mark", "set", { fields: { words: "first" } }], ["End", "stop", { message: "over" }]]));
  const { page } = await open();
  await openEditor(page, server, "grouped");
  await card(page, "Start").click();
  await card(page, "Mark").click({ modifiers: ["Control"] });
  await panel(page).getByRole("button", { name: "Duplicate" }).waitFor();
  await page.keyboard.press("Shift+G");
  await page.locator(".canvas .note.frame").waitFor();
  await saved(page);
  const before = await draftOf(server, "grouped");
  check(before.notes.length === 1 && before.notes[0].group === true, "what is selected becomes a group");
  const { x, y } = await page.locator(".canvas .note.frame").boundingBox();
  await drag(page, { x: x + 30, y: y + 12 }, [50, 70]);
  await saved(page);
  const after = await draftOf(server, "grouped");
  const shifts = [0, 1, 2].map((index) => [0, 1].map((axis) => after.nodes[index].position[axis] - before.nodes[index].position[axis]).join());
  check(shifts[0] === shifts[1] && shifts[0] !== "0,0" && shifts[2] === "0,0", `its nodes move with it, and no other: ${shifts.join(" ")}`);
  await page.keyboard.press("Control+z");
  await page.waitForFunction(() => document.querySelector(".editor-head .state")?.textContent !== "Saved");
  await saved(page);
  check(JSON.stringify((await draftOf(server, "grouped")).nodes) === JSON.stringify(before.nodes), "and come back in one step");
}

const workflow = {
  nodes: [
    { id: "1", name: "Click", type: "n8n-nodes-base.manualTrigger", typeVersion: 1, position: [0, 0], parameters: {} },
    { id: "2", name: "Tell", type: "n8n-nodes-base.slack", typeVersion: 2, position: [220, 0], parameters: { text: "hi" } },
    { id: "3", name: "Sticky Note", type: "n8n-nodes-base.stickyNote", typeVersion: 1, position: [0, 200], parameters: { content: "From n8n", width: 300, height: 160 } },
  ],
  connections: { Click: { main: [[{ node: "Tell", type: "main", index: 0 }]] } },
};

async function fromOthers({ open, server, check }) {
  await server.api("POST", "/api/v1/flows", { format: 1, name: "from-n8n", nodes: [], connections: [] });
  const { context, page } = await open();
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await openEditor(page, server, "from-n8n");
  await page.evaluate((text) => navigator.clipboard.writeText(text), JSON.stringify(workflow));
  await page.keyboard.press("Control+v");
  const dialog = page.getByRole("dialog", { name: "2 nodes from n8n" });
  await dialog.locator(".problem", { hasText: "Tell" }).first().click();
  await dialog.waitFor({ state: "detached" });
  await page.locator(".editor-panel .node-name").waitFor();
  check((await page.locator(".editor-panel .node-name").inputValue()) === "Tell", "a problem of nodes from n8n leads to its node");
  await page.locator(".canvas .note", { hasText: "From n8n" }).waitFor();
  await saved(page);
  const { nodes, connections, notes: written } = await draftOf(server, "from-n8n");
  check(nodes.length === 2 && nodes[1].disabled === true && connections.length === 1 && written.length === 1, "nodes that were copied in n8n are pasted with their connections and notes");
}

async function fileFromOthers({ open, server, check }) {
  const { page } = await open();
  await page.goto(`${server.origin}/console/flows`);
  await page.getByRole("button", { name: "Import", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Import a flow" });
  await dialog.getByLabel("File").setInputFiles({ name: "workflow.json", mimeType: "application/json", buffer: Buffer.from(JSON.stringify({ ...workflow, name: "Clicked" })) });
  await dialog.getByRole("button", { name: "Import", exact: true }).click();
  const list = page.getByRole("dialog", { name: "clicked from n8n" });
  await list.getByRole("list", { name: "Problems of the import" }).getByText("Tell").first().waitFor();
  await list.getByRole("button", { name: "Edit it" }).click();
  await card(page, "Tell").waitFor();
  check((await draftOf(server, "clicked")).nodes.length === 2, "a file of n8n becomes a draft, with a list of what to look at, and opens in the editor");
}

export async function editorNotes(world) {
  await note(world);
  await group(world);
  await fromOthers(world);
  await fileFromOthers(world);
}
