// Each page in both themes at two widths: no failure, no violation of axe's rules, nothing wider than the screen. Takes its picture.
import { overflows, violations } from "./browser.mjs";
import { settled } from "./world.mjs";

const looks = ["light", "dark"].flatMap((theme) => [1280, 360].map((width) => ({ theme, width })));

async function look({ pictures, check }, page, path, { theme, width }) {
  const name = path.replaceAll("/", "-").replace(/[0-9a-f-]{20,}|[0-9]+/g, "one").replace(/^-/, "") || "attention";
  const where = `${path} ${theme} ${width}`;
  await page.emulateMedia({ colorScheme: theme });
  await page.setViewportSize({ width, height: width < 600 ? 800 : 860 });
  await page.screenshot({ path: `${pictures}/${name}-${theme}-${width}.png` });
  const found = await violations(page);
  check(found.length === 0, `${where} breaks no rule of accessibility ${found.join("; ")}`);
  check((await overflows(page)) <= 0, `${where} is no wider than its screen`);
  check((await page.locator("[role=alert]").count()) === 0, `${where} shows no failure`);
}

async function placesOf({ server }, page) {
  await page.goto(`${server.origin}/console`);
  await settled(page);
  return page.locator("nav[aria-label=Places] a.place").evaluateAll((links) => links.map((link) => new URL(link.href).pathname.replace("/console", "")));
}

export async function pages(world) {
  const { server, open, job, lane, conversation } = world;
  const { page } = await open();
  for (const path of [...(await placesOf(world, page)), `/jobs/${job}`, `/executions/${job}`, `/chat/${conversation}`, "/spam/check", "/spam/samples", `/lanes/${encodeURIComponent(lane)}`]) {
    await page.goto(`${server.origin}/console${path}`);
    await settled(page);
    for (const own of looks) await look(world, page, path, own);
  }
}
