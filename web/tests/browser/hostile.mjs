// Texts that try to be more than text, and how a page shows that they did not succeed.
import { existsSync, readFileSync } from "node:fs";

import { overflows } from "./browser.mjs";
import { settled } from "./world.mjs";

const naughtyFile = new URL("../../../../shared/data/naughty-strings/blns.json", import.meta.url);

/** The public collection; empty where it is missing. U+0000 is in no text of the API. */
export const naughty = () => (existsSync(naughtyFile) ? JSON.parse(readFileSync(naughtyFile, "utf8")) : []).filter((text) => text.trim() && !text.includes("\0"));

export const script = `<img src="http://203.0.113.7/x" onerror="owned=1"><script>owned=1</script><svg onload="owned=1"><a href="javascript:owned=1">x</a>"><iframe srcdoc="<script>top.owned=1</script>"> [x](javascript:owned=1) {{7*7}} \${7*7} \u202e`;

/** Counts what a page must never do while such texts are on it. */
export function watchFor(page, origin) {
  const seen = [];
  page.on("dialog", (dialog) => {
    seen.push(`dialog ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("request", (request) => {
    if (!request.url().startsWith(`${origin}/`) && !/^(data|blob):/.test(request.url())) seen.push(`request ${request.url()}`);
  });
  page.context().on("page", (other) => seen.push(`page ${other.url()}`));
  return seen;
}

/** What came of it in the page that is open: elements that only markup of others can have made. */
export const remains = (page) =>
  page.evaluate(() => {
    const found = [...document.querySelectorAll("#main img, #main script, #main iframe, #main object, #main embed, #main style, #main link, #main base, #main form[action], #main [onload], #main [onerror], #main [onclick]")].map((element) => element.outerHTML.slice(0, 80));
    for (const link of document.querySelectorAll("a[href]")) if (!/^https?:$/.test(link.protocol)) found.push(link.href.slice(0, 80));
    if (document.querySelectorAll("script").length > 1) found.push("a second script");
    if (globalThis.owned !== undefined) found.push("its code ran");
    return found;
  });

const flat = (text) => text.replace(/\s+/g, " ").trim();

/** Visits each page of the map and looks for `texts` there: all of them, as they are. */
export async function visit({ server, check }, page, places, texts = []) {
  const seen = watchFor(page, server.origin);
  for (const [where, path] of Object.entries(places)) {
    await page.goto(`${server.origin}/console${path}`);
    await settled(page);
    for (const text of texts) await page.getByText(text).first().waitFor({ state: "attached" });
    const found = await remains(page);
    check(found.length === 0, `${where} shows what others wrote as text ${found.join("; ")}`);
    await page.setViewportSize({ width: 360, height: 800 });
    check((await overflows(page)) <= 0, `${where} stays within a phone's screen, whatever they wrote`);
    await page.setViewportSize({ width: 1280, height: 860 });
  }
  check(seen.length === 0, `nothing opens a dialog, a page or a connection ${[...new Set(seen)].join("; ")}`);
}

/** Which of the texts the page's content does not have, by and large: white space counts once. */
export async function missing(page, texts) {
  const shown = flat(await page.locator("#main").evaluate((main) => main.textContent));
  return texts.filter((text) => !shown.includes(flat(text)));
}
