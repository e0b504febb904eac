// Takes a picture of each page in both themes at two widths: `node look.mjs ORIGIN FOLDER [PATH…]`.
import { mkdirSync } from "node:fs";

import { launch, openPage, overflows, violations } from "./browser.mjs";

const [origin, folder, ...paths] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });
const browser = await launch();
for (const theme of ["light", "dark"])
  for (const width of [1280, 360]) {
    const { context, page, errors } = await openPage(browser, { width, theme });
    for (const path of paths) {
      await page.goto(`${origin}/console${path}`);
      await page.waitForSelector("main h1");
      await page.waitForFunction(() => !document.querySelector(".waiting"), undefined, { timeout: 10_000 });
      const name = path.replaceAll("/", "-").replace(/^-/, "").replace(/[^\w-]/g, "_") || "attention";
      await page.screenshot({ path: `${folder}/${name}-${theme}-${width}.png` });
      const wide = await overflows(page);
      if (wide > 0) console.log(`${path} ${width}: wider than the screen by ${wide}`);
      for (const violation of await violations(page)) console.log(`${path} ${theme} ${width}: ${violation}`);
    }
    for (const error of new Set(errors)) console.log(`${theme} ${width}: ${error}`);
    await context.close();
  }
await browser.close();
