// What each part of the browser tests gets: the browser, a server with a conversation in it, and pages of its owner.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";

import { chromiumPath, launch, openPage } from "./browser.mjs";
import { startModel } from "./fake-model.mjs";
import { startWeb } from "./fake-web.mjs";
import { naughty, script } from "./hostile.mjs";
import { startServer } from "./server.mjs";

const mcpServer = new URL("fake-mcp.mjs", import.meta.url).pathname;

/** A model that answers as a whole, one whose words come in pieces, and one that takes no tools; a shop with its key; and a server of tools whose definitions are hostile. */
function settingsOf(model, web, folder) {
  const schema = { type: "object", properties: { text: { type: "string", description: script } } };
  const tools = [script, ...naughty()].slice(0, 100).map((description, index) => ({ name: `note_${index}`, title: description, description, inputSchema: schema }));
  writeFileSync(path.join(folder, "tools.json"), JSON.stringify(tools));
  return `
[models.slow]
provider = "openai"
api = "chat"
model = "fake"
base_url = ${JSON.stringify(model.url)}
stream = "never"
timeout = "2min"
input_price = 100
output_price = 500

[models.pieces]
provider = "openai"
api = "chat"
model = "fake"
base_url = ${JSON.stringify(model.url)}
timeout = "2min"

[models.plain]
provider = "openai"
api = "chat"
model = "plain"
base_url = ${JSON.stringify(model.url)}
tools = "false"

[credentials.shop]
value = ${JSON.stringify(web.key)}
hosts = [${JSON.stringify(web.host)}]

[tools.http_request]
allowed_hosts = [${JSON.stringify(web.host)}]

[secrets.hook]
value = "hook"

[mcp.notes]
command = ${JSON.stringify([process.execPath, mcpServer, path.join(folder, "tools.json")])}
`;
}

/** As a person does it, by a link of the server's own command. Returns the link, which is used then. */
export async function signIn(page, server) {
  const { url: link } = JSON.parse(await server.command("console", "link", "--json"));
  await page.goto(server.origin + link.slice(link.indexOf("/console")));
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("navigation", { name: "Places" }).waitFor(); // the login has a heading, too
  await settled(page);
  return link;
}

/** The page has read all that it shows at first. */
export async function settled(page) {
  await page.waitForSelector("main h1");
  await page.waitForFunction(() => !document.querySelector(".waiting[role=status]"));
}

/** In the open chat. */
export async function say(page, text, reply) {
  const field = page.getByLabel("Message", { exact: true });
  await field.fill(text);
  await field.press("Enter");
  if (reply) await page.locator(".line:not(.own) .text", { hasText: reply }).last().waitFor();
}

export async function newChat(page, server, agent) {
  await page.goto(`${server.origin}/console/chat`);
  if (agent) await page.getByLabel("Agent").selectOption(agent);
  await page.getByRole("button", { name: "New chat" }).click();
  await page.getByLabel("Message", { exact: true }).waitFor();
}

async function talk(page, server) {
  await newChat(page, server, "todo");
  await say(page, "add buy milk", "buy milk");
  await say(page, "what is 6*7?", "42");
  return page.url().split("/").at(-1);
}

export async function startWorld(program, pictures) {
  if (!chromiumPath) throw new Error("there is no Chromium");
  mkdirSync(pictures, { recursive: true });
  const folder = mkdtempSync(path.join(os.tmpdir(), "postrider-browser-"));
  const model = await startModel();
  const web = await startWeb();
  const began = Date.now();
  const server = await startServer(program, settingsOf(model, web, folder));
  const browser = await launch();
  const failures = [];
  const opened = []; // by the part that runs
  const check = (holds, words) => {
    if (!holds) failures.push(words);
    const since = ((Date.now() - began) / 1000).toFixed(1).padStart(6);
    console.log(`${holds ? "ok  " : "FAIL"} ${since} s ${words}`);
  };
  const report = (words) => console.log(`     ${words}`);
  const openNew = async (options) => {
    const own = await openPage(browser, { width: 1280, theme: "light", ...options });
    opened.push(own);
    return own;
  };
  const world = {
    browser, server, model, web, pictures, failures, check, report,
    /** A page without a session. Its errors fail the part at its end. */
    openNew,
    /** A page of the owner. `{ width, theme }` */
    open: (options) => openNew({ state: world.state, ...options }),
    /** One part: what it throws is a failure with a picture of each of its pages. */
    async run(part) {
      const start = Date.now();
      try {
        await part(world);
      } catch (error) {
        for (const [index, { page }] of opened.entries()) await page.screenshot({ path: `${pictures}/failed-${part.name}-${index}.png` }).catch(() => undefined);
        check(false, `${part.name}: ${error.stack ?? error}`);
      }
      const errors = [...new Set(opened.flatMap((own) => own.errors))];
      check(errors.length === 0, `${part.name} makes no page report an error ${errors.join("; ")}`);
      for (const { context } of opened.splice(0)) await context.close().catch(() => undefined);
      console.log(`     ${part.name}: ${((Date.now() - start) / 1000).toFixed(1)} s`);
    },
    async end() {
      await browser.close();
      await server.stop();
      model.stop();
      web.stop();
      rmSync(folder, { recursive: true });
      console.log(`     in all: ${((Date.now() - began) / 1000).toFixed(1)} s`);
    },
  };
  await world.run(async function start() {
    const { context, page } = await openNew();
    const link = await signIn(page, server);
    check(!page.url().includes("login="), "the token leaves the address after the login");
    const conversation = await talk(page, server);
    const { jobs } = await page.evaluate(async () => (await fetch("/api/v1/jobs?limit=1")).json());
    Object.assign(world, { state: await context.storageState(), usedLink: link, conversation, job: jobs[0].job_id, lane: jobs[0].lane });
  });
  return world;
}
