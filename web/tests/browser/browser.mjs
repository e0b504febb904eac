// What the browser tests share: Chromium of the system, the pages of the console, and axe.
import { createRequire } from "node:module";
import { existsSync, readFileSync } from "node:fs";

import { chromium } from "playwright-core";

const require = createRequire(import.meta.url);
export const chromiumPath = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find((path) => existsSync(path));
const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

/** Of each wait: a busy machine is slow, and a wait that cannot end is a failure soon enough. */
const DEADLINE_MS = 60_000;

export const launch = () => chromium.launch({ executablePath: chromiumPath, args: ["--no-sandbox", "--disable-gpu"] });

/** A page whose errors are collected: exceptions, errors of the console, and what the page's policy refused. */
export async function openPage(browser, { width, height = width < 600 ? 800 : 860, theme, state }) {
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: theme,
    reducedMotion: "reduce",
    timezoneId: "Europe/Berlin",
    ...(state ? { storageState: state } : {}),
  });
  context.setDefaultTimeout(DEADLINE_MS);
  const page = await context.newPage();
  const errors = [];
  page.on("pageerror", (error) => errors.push(String(error)));
  page.on("console", (message) => {
    // A refused request is no error of the page: it shows the refusal.
    if (message.type() === "error" && !message.text().startsWith("Failed to load resource")) errors.push(message.text());
  });
  return { context, page, errors };
}

/** Violations of the accessibility rules, in one line each. axe comes by the debugger: the page's policy loads no script of others. */
export async function violations(page) {
  await page.evaluate(axe);
  const found = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ["violations"] }));
  return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => `${node.target.join(" ")} ${node.any[0]?.message ?? ""}`).slice(0, 4).join(" | ")}`);
}

export const overflows = (page) => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

/** What the page shows now keeps the rules in both themes, at both widths. */
export async function looksRight(page, check, words) {
  const before = page.viewportSize();
  for (const theme of ["light", "dark"])
    for (const width of [1280, 360]) {
      await page.emulateMedia({ colorScheme: theme });
      await page.setViewportSize({ width, height: before.height });
      const broken = await violations(page);
      check(broken.length === 0, `${words}, ${theme} ${width} breaks no rule of accessibility ${broken.join("; ")}`);
      check((await overflows(page)) <= 0, `${words}, ${theme} ${width} is no wider than its screen`);
    }
  await page.emulateMedia({ colorScheme: "light" });
  await page.setViewportSize(before);
}
