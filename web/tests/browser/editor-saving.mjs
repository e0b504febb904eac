// What the editor never loses: two tabs with one flow, a server that is killed, a session that ends, a page that is closed.
import { looksRight } from "./browser.mjs";
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
  await looksRight(second, check, "the dialog that merges two drafts");
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

/** Leaves "never sent" behind in a page that cannot save. `locks`: not where the page came by plain HTTP. */
async function leaveBehind({ open, server }, name, { locks = true } = {}) {
  await server.api("POST", "/api/v1/flows", flow(name));
  const { context, page } = await open();
  if (!locks) await context.addInitScript(() => Object.defineProperty(Navigator.prototype, "locks", { value: undefined }));
  await openEditor(page, server, name);
  await card(page, "Mark").waitFor();
  await page.route(`**/api/v1/flows/${name}`, (route) => (route.request().method() === "PUT" ? route.abort() : route.continue()));
  await write(page, "Mark", "words", "never sent");
  await page.getByText("Not saved: it tries again").waitFor();
  await page.close({ runBeforeUnload: false });
  return context.newPage();
}

async function savedSince(world) {
  const { server, check } = world;
  const next = await leaveBehind(world, "since");
  const draft = await draftOf(server, "since");
  draft.nodes[2].parameters.message = "saved since";
  await server.api("PUT", "/api/v1/flows/since", draft, { "If-Match": "*" });
  await openEditor(next, server, "since");
  await next.getByRole("button", { name: "Bring them back" }).click();
  await next.getByRole("dialog", { name: "The draft changed since" }).getByText("I left as it was, they changed.").waitFor();
  await next.getByRole("dialog").getByRole("button", { name: "Merge and save" }).click();
  await next.getByText("There are changes that were not saved").waitFor({ state: "detached" });
  await saved(next);
  const { nodes } = await draftOf(server, "since");
  check(nodes[1].parameters.fields.words === "never sent" && nodes[2].parameters.message === "saved since", "what a tab left behind overwrites nothing that was saved since");
}

async function withoutLocks(world) {
  const { server, check } = world;
  const next = await leaveBehind(world, "plain-http", { locks: false });
  await openEditor(next, server, "plain-http");
  await next.getByRole("button", { name: "Bring them back" }).click();
  await saved(next);
  check((await parameterOf(server, "plain-http", "Mark", ({ fields }) => fields.words)) === "never sent", "a page without the browser's locks saves, and keeps what is not saved");
}

/** Both sides add a node of one type, so both get one id; and the other side's program writes no places. */
async function twins({ open, server, check }) {
  await server.api("POST", "/api/v1/flows", flow("twins"));
  const { page } = await open();
  await openEditor(page, server, "twins");
  await card(page, "Mark").waitFor();
  const theirs = await draftOf(server, "twins");
  theirs.nodes = theirs.nodes.map(({ position, ...node }) => node);
  theirs.nodes.push({ id: "wait", name: "Wait", type: "wait", parameters: { duration: "1s" } });
  await server.api("PUT", "/api/v1/flows/twins", theirs, { "If-Match": "*" });
  await page.locator(".palette").getByRole("button", { name: "Wait", exact: true }).dblclick();
  await page.locator(".editor-panel").getByLabel("Duration", { exact: true }).fill("2s");
  await page.getByText("Another draft was saved meanwhile.").waitFor();
  await page.getByRole("button", { name: "Compare and merge" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Merge and save" }).click();
  await saved(page);
  const { nodes } = await draftOf(server, "twins");
  const waits = nodes.filter(({ type }) => type === "wait").map(({ id, parameters }) => `${id} ${parameters.duration}`).sort();
  check(waits.join() === "wait 1s,wait_2 2s", `two new nodes with one id are both there: ${waits}`);
  check(nodes.every(({ position }) => position?.every(Number.isFinite)) && nodes[1].position.join() === "240,0", "nodes that came without places get some, and the others stay");
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
  await savedSince(world);
  await withoutLocks(world);
  await twins(world);
  await signedOut(world);
}
