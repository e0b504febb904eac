// Flows that begin with a template: chosen by keyboard and filled in at the fields that miss a value. The gallery in both
// themes at both widths.
import { overflows, violations } from "./browser.mjs";
import { draftOf, saved } from "./editor.mjs";

async function openGallery(page, server) {
  await page.goto(`${server.origin}/console/flows`);
  await page.getByRole("button", { name: "New flow" }).click();
  const dialog = page.getByRole("dialog", { name: "New flow" });
  await dialog.getByRole("radio", { name: /Personal assistant/ }).waitFor();
  return dialog;
}

async function byKeys({ open, server, check }) {
  const { page } = await open();
  const dialog = await openGallery(page, server);
  await dialog.getByRole("radio", { name: /An empty flow/ }).focus();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  check(await dialog.getByRole("radio", { name: /Daily digest/ }).isChecked(), "arrow keys choose a template");
  const name = dialog.getByRole("textbox", { name: "Name" });
  check((await name.inputValue()) === "rss_digest", "the flow is named after its template, until a person names it");
  await name.fill("news");
  await name.press("Enter");
  await page.locator(".editor .canvas").waitFor();
  await page.getByRole("button", { name: "3 problems" }).click();
  await page.locator(".problem", { hasText: '"url" has no value yet' }).click();
  check((await page.evaluate(() => document.activeElement?.value)) === "", "a click on the problem leads to its empty field");
  await page.keyboard.type("https://example.org/feed.xml");
  await page.getByRole("button", { name: "2 problems" }).waitFor();
  await saved(page);
  const { nodes } = await draftOf(server, "news");
  check(nodes[0].parameters.url === "https://example.org/feed.xml" && nodes[4].parameters.chat === null, "the draft has the value, and the other places are still open");
}

async function looks({ open, server, pictures, check }) {
  for (const theme of ["light", "dark"])
    for (const width of [1280, 360]) {
      const { page } = await open({ width, theme });
      await openGallery(page, server);
      const broken = await violations(page);
      check(broken.length === 0, `the gallery, ${theme} ${width} breaks no rule of accessibility ${broken.join("; ")}`);
      check((await overflows(page)) <= 0, `the gallery, ${theme} ${width} is no wider than its screen`);
      await page.screenshot({ path: `${pictures}/templates-${theme}-${width}.png` });
    }
}

export async function templates(world) {
  await byKeys(world);
  await looks(world);
}
