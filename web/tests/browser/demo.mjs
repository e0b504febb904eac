// The page of the simulated Telegram: a chat with buttons and pictures, a model that times out, and a kill whose
// turn ends in view.
import { overflows, violations } from "./browser.mjs";
import { until } from "./server.mjs";

const picture = Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==", "base64");

const isGone = (origin) => fetch(`${origin}/healthz`).then(() => false, () => true);

async function say(page, words) {
  const field = page.getByLabel("Message", { exact: true });
  await field.fill(words);
  await field.press("Enter");
}

const said = (page, words) => page.locator(".line:not(.own) .text", { hasText: words }).last();

async function looks(page, pictures, check) {
  for (const theme of ["light", "dark"])
    for (const width of [1280, 360]) {
      await page.emulateMedia({ colorScheme: theme });
      await page.setViewportSize({ width, height: 860 });
      await page.screenshot({ path: `${pictures}/demo-${theme}-${width}.png`, fullPage: true });
      const found = await violations(page);
      check(found.length === 0, `the simulated Telegram breaks no rule of accessibility ${theme} ${width} ${found.join("; ")}`);
      check((await overflows(page)) <= 0, `the simulated Telegram is no wider than its screen ${theme} ${width}`);
    }
  await page.emulateMedia({ colorScheme: "light" });
  await page.setViewportSize({ width: 1280, height: 860 });
}

export async function demo({ open, server, pictures, check }) {
  const { page } = await open();
  await page.goto(`${server.origin}/console/demo`);
  await page.getByRole("heading", { name: "Simulated Telegram", level: 1 }).waitFor();
  await page.getByText("live", { exact: true }).first().waitFor();
  await page.getByLabel("Message", { exact: true }).fill("x".repeat(4_100));
  await page.getByText("4 too many").waitFor();
  check((await page.getByRole("button", { name: "Send" }).getAttribute("aria-disabled")) === "true", "the page says how long a message may be before it is sent");
  await say(page, "add call Ann");
  await said(page, "Created task: call Ann").waitFor();
  check((await page.locator(".tool-call", { hasText: "create_todo_task" }).count()) > 0, "the simulated Telegram's page shows the tools that were called");

  await say(page, "delete call Ann");
  const yes = page.locator(".press button").first();
  await yes.waitFor();
  await yes.click();
  await said(page, "Deleted task: call Ann").waitFor();
  check((await page.locator(".press button").count()) === 0, "a question is answered by its button, and loses its buttons");

  await page.locator("input[type=file]").setInputFiles({ name: "a.png", mimeType: "image/png", buffer: picture });
  await say(page, "what is this?");
  const shown = page.locator(".line.own img").last();
  await shown.waitFor();
  check(await shown.evaluate(async (image) => (await image.decode(), image.naturalWidth === 1)), "a picture is sent and shown");
  await looks(page, pictures, check);

  await page.getByRole("button", { name: "Make the model time out" }).click();
  await page.getByText("Write to the bot now").waitFor();
  await say(page, "add buy milk");
  await page.getByText("A model call hangs now").waitFor();
  await page.locator(".done-steps li", { hasText: "asks the model" }).first().waitFor();
  check(true, "a model call hangs, and the page shows the step");
  await page.getByRole("button", { name: "Kill me now" }).click();
  await until(() => isGone(server.origin), "the server was not killed");
  await page.getByText("The server is away").waitFor();
  check((await page.locator(".line.own .text", { hasText: "add buy milk" }).count()) === 1, "the chat stays while the server is away");
  await server.start();
  const begun = Date.now();
  await said(page, "Created task: buy milk").waitFor({ timeout: 60_000 });
  check(true, `the killed turn ends in view, ${((Date.now() - begun) / 1000).toFixed(1)} s after the restart`);
  await page.getByText("The server was away for").waitFor();
  check((await page.locator(".line.own .text", { hasText: "add call Ann" }).count()) === 1, "what was said before the kill is there again");
}
