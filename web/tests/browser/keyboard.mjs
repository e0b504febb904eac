// Work by keyboard alone: no pointer is used, and the page hears of none.
import { beginChat, tell } from "./flows.mjs";
import { hold } from "./bulk.mjs";
import { until } from "./server.mjs";
import { settled } from "./world.mjs";

/** Presses Tab until the element has the focus. */
export async function tabTo(page, element, most = 150) {
  const places = new Set();
  for (let presses = 0; presses < most; ++presses) {
    if (await element.evaluate((own) => own === document.activeElement)) return;
    await page.keyboard.press("Tab");
    places.add(await page.evaluate(() => document.activeElement?.ariaLabel ?? document.activeElement?.textContent.slice(0, 20)));
  }
  throw new Error(`${most} presses of Tab do not lead to ${element}, but to ${[...places].slice(-40).join(", ")}`);
}

const hasFocus = (page) => page.evaluate(() => document.activeElement !== document.body);

async function places({ server, check }, page) {
  await page.goto(`${server.origin}/console/`);
  await settled(page);
  await page.keyboard.press("g");
  await page.keyboard.press("j");
  await page.getByRole("heading", { name: "Jobs", level: 1 }).waitFor();
  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: "Keys" }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  check(true, "keys lead to places, and Escape closes a dialog");
}

async function approve({ server, check }, page) {
  const chat = await beginChat(server, "todo");
  await tell(server, chat, "add buy bread");
  await tell(server, chat, "delete buy bread");
  await page.keyboard.press("g");
  await page.keyboard.press("p");
  const button = page.getByRole("button", { name: "Approve", exact: true }).first();
  await button.waitFor();
  const waiting = await page.getByRole("button", { name: "Approve", exact: true }).count();
  await tabTo(page, button);
  await page.keyboard.press("Enter");
  const act = page.getByRole("dialog").getByRole("button", { name: "Approve", exact: true });
  await act.waitFor();
  await tabTo(page, act);
  await page.keyboard.press("Enter");
  await page.locator(".toast", { hasText: "is approved" }).waitFor();
  check(true, "a call is approved by keyboard alone");
  await until(async () => (await page.getByRole("button", { name: "Approve", exact: true }).count()) < waiting, "a decided call stays in the list");
  check(await hasFocus(page), `the focus stays on the page when what had it is gone: ${await page.evaluate(() => document.activeElement?.outerHTML.slice(0, 80))}`);
}

async function cancelMany({ server, check }, page) {
  const ids = await hold(server, 3);
  await page.goto(`${server.origin}/console/jobs`); // a list that was seen before keeps new jobs behind a button
  await page.getByLabel(`Select job ${ids[0]}`, { exact: true }).waitFor();
  for (const id of ids.reverse()) {
    await tabTo(page, page.getByLabel(`Select job ${id}`, { exact: true }));
    await page.keyboard.press("Space");
  }
  await page.getByText("3 selected").waitFor();
  await page.keyboard.press("/");
  await tabTo(page, page.getByRole("button", { name: "Cancel", exact: true }));
  await page.keyboard.press("Enter");
  const act = page.getByRole("dialog").getByRole("button", { name: "Cancel 3", exact: true });
  await tabTo(page, act);
  await page.keyboard.press("Enter");
  await page.locator(".toast", { hasText: "3 jobs done" }).waitFor();
  check(true, "many jobs are cancelled by keyboard alone");
  await page.getByText("3 selected").waitFor({ state: "detached" });
  check(await hasFocus(page), "and the focus stays on the page after it");
}

export async function keyboard(world) {
  const { page } = await world.open();
  await page.addInitScript(() => {
    for (const name of ["pointerdown", "mousedown", "touchstart"]) addEventListener(name, () => (globalThis.pointed = true), true);
  });
  await places(world, page);
  await approve(world, page);
  await cancelMany(world, page);
  world.check(await page.evaluate(() => globalThis.pointed !== true), "no pointer was used for it");
}
