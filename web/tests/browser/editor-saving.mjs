// What the editor never loses: two tabs with one flow, a server that is killed, a session that ends, a page that is closed.
import { card, draftOf, openEditor, saved } from "./editor.mjs";
import { flowOf } from "./flows.mjs";

const flow = (name) => flowOf(name, [["Start", "manual"], ["Mark", "set", { fields: { words: "first" } }], ["End", "stop", { message: "over" }]]);

async function write(page, node, label, text) {
  await card(page, node).click();
  await page.locator(".editor-panel").getByLabel(label, { exact: true }).fill(text);
}

const parameterOf = async (server, name, node, read) => read((await draftOf(server, name)).nodes.find((each) => each.name === node).parameters);

async function twoTabs({ open, server, pictures, check }) {
  await server.api("POST", "/api/v1/flows", flow("shared"));
  const [{ page: first }, { page: second }] = [await open(), await open()];
  for (const page of [first, second]) {
    await openEditor(page, server, "shared");
    await card(page, "Mark").waitFor();
  }
  await write(first, "Mark", "words", "of the first");
  await saved(first);
  await write(second, "End", "Message", "of the second");
  await second.getByText("Another draft was saved meanwhile.").waitFor();
  check((await parameterOf(server, "shared", "Mark", ({ fields }) => fields.words)) === "of the first", "a second tab does not overwrite the first one's draft");
  await second.screenshot({ path: `${pictures}/editor-conflict.png` });
  await second.getByRole("button", { name: "Compare and merge" }).click();
  await second.getByRole("dialog").getByText("I changed, they left as it was.").waitFor();
  await second.getByRole("dialog").getByRole("button", { name: "Merge and save" }).click();
  await saved(second);
  const merged = await draftOf(server, "shared");
  check(merged.nodes[1].parameters.fields.words === "of the first" && merged.nodes[2].parameters.message === "of the second", "the merged draft has the changes of both");

  await write(first, "Mark", "words", "of the first again");
  await first.getByText("Another draft was saved meanwhile.").waitFor();
  await first.getByRole("button", { name: "Save mine as a new flow" }).click();
  await first.getByRole("dialog").getByLabel("Name").fill("shared-mine");
  await first.getByRole("dialog").getByRole("button", { name: "Save", exact: true }).click();
  await first.getByRole("link", { name: "shared-mine" }).waitFor();
  check((await parameterOf(server, "shared-mine", "Mark", ({ fields }) => fields.words)) === "of the first again", "what conflicts can become a flow of its own");
}

async function killed({ open, server, check }) {
  await server.api("POST", "/api/v1/flows", flow("killed"));
  const { page } = await open();
  await openEditor(page, server, "killed");
  await write(page, "Mark", "words", "before");
  await server.kill();
  await write(page, "Mark", "words", "while it was away");
  await page.getByText("Not saved: it tries again").waitFor();
  await write(page, "End", "Message", "also");
  await server.start();
  await saved(page);
  const { nodes } = await draftOf(server, "killed");
  check(nodes[1].parameters.fields.words === "while it was away" && nodes[2].parameters.message === "also", "edits made while the server was away are saved when it is back");
  check((await page.getByText("Another draft was saved meanwhile.").count()) === 0, "a lost answer is no conflict");
}

async function leftBehind({ open, server, check }) {
  const { context, page } = await open();
  await openEditor(page, server, "killed");
  await card(page, "Mark").waitFor();
  await page.route("**/api/v1/flows/killed", (route) => (route.request().method() === "PUT" ? route.abort() : route.continue()));
  await write(page, "Mark", "words", "never sent");
  await page.getByText("Not saved: it tries again").waitFor();
  await page.close({ runBeforeUnload: false });
  const next = await context.newPage();
  await openEditor(next, server, "killed");
  await next.getByText("There are changes that were not saved").waitFor();
  check((await parameterOf(server, "killed", "Mark", ({ fields }) => fields.words)) === "while it was away", "what a tab left behind is not applied in silence");
  await next.getByRole("button", { name: "Bring them back" }).click();
  await saved(next);
  check((await parameterOf(server, "killed", "Mark", ({ fields }) => fields.words)) === "never sent", "what a tab left behind comes back when it is asked for");
}

async function signedOut({ open, server, check }) {
  const { context, page } = await open();
  await openEditor(page, server, "killed");
  await card(page, "Mark").waitFor();
  // The session ends between the edit and its request.
  await page.route("**/api/v1/flows/killed", async (route) => {
    if (route.request().method() !== "PUT") return route.continue();
    await context.clearCookies();
    await route.fulfill({ status: 401, json: { code: "unauthorized", detail: "The session has ended." } });
    await page.unroute("**/api/v1/flows/killed");
  });
  await write(page, "Mark", "words", "signed out");
  await page.getByRole("dialog", { name: "Sign in again" }).waitFor();
  const { url: link } = JSON.parse(await server.command("console", "link", "--json"));
  await page.getByLabel("Or paste the link").fill(link);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await saved(page);
  check((await parameterOf(server, "killed", "Mark", ({ fields }) => fields.words)) === "signed out", "a session that ended costs no edit");
}

export async function editorSaving(world) {
  await twoTabs(world);
  await killed(world);
  await leftBehind(world);
  await signedOut(world);
}
