// What docs/console.md promises of speed. Counts must hold; times are printed, as they are the machine's, too.
import os from "node:os";

import { settled } from "./world.mjs";

const MOST_REQUESTS = 4;
const SLOW = { offline: false, latency: 40, downloadThroughput: 10_000_000 / 8, uploadThroughput: 10_000_000 / 8 };

const median = (values) => values.sort((left, right) => left - right)[Math.floor(values.length / 2)];

/** Of a first visit: the largest paint, and what it loaded but for the API. */
async function firstLoad({ server, open }, slow) {
  const { context, page } = await open();
  const files = [];
  page.on("response", (response) => new URL(response.url()).pathname.startsWith("/console") && files.push(response.url()));
  await page.addInitScript(() => {
    new PerformanceObserver((list) => (globalThis.largestPaint = list.getEntries().at(-1).startTime)).observe({ type: "largest-contentful-paint", buffered: true });
  });
  if (slow) {
    const devtools = await context.newCDPSession(page);
    await devtools.send("Network.enable");
    await devtools.send("Network.emulateNetworkConditions", SLOW);
    await devtools.send("Emulation.setCPUThrottlingRate", { rate: 4 });
  }
  await page.goto(`${server.origin}/console`);
  await settled(page);
  const paint = await page.waitForFunction(() => globalThis.largestPaint);
  const took = await paint.jsonValue();
  await context.close();
  return { took, files };
}

/** The 98th of a hundred presses and clicks: from the input to the next frame. */
async function interactions({ server, open }) {
  const { page } = await open();
  await page.addInitScript(() => {
    globalThis.presses = new Map();
    new PerformanceObserver((list) => {
      for (const { interactionId: id, duration } of list.getEntries()) if (id) globalThis.presses.set(id, Math.max(duration, globalThis.presses.get(id) ?? 0));
    }).observe({ type: "event", durationThreshold: 16, buffered: true });
  });
  await page.goto(`${server.origin}/console/jobs`);
  await settled(page);
  let count = 0;
  const act = async (move) => {
    await move();
    count += 1;
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))));
  };
  const field = page.getByLabel("Lane, or a part of it");
  for (let turn = 0; turn < 4; ++turn) {
    for (const letter of "chat") await act(() => field.press(letter));
    for (let index = 0; index < 4; ++index) await act(() => field.press("Backspace"));
    for (const box of (await page.getByLabel(/^Select job/).all()).slice(0, 8)) await act(() => box.click());
    await act(() => page.getByRole("button", { name: "Select none" }).click());
    for (const key of ["g", "e", "g", "j"]) await act(() => page.keyboard.press(key));
    await settled(page);
  }
  const slow = await page.evaluate(() => [...globalThis.presses.values()]);
  const all = [...Array(Math.max(0, count - slow.length)).fill(16), ...slow].sort((left, right) => left - right); // faster ones are not told
  return all[Math.min(all.length - 1, Math.floor(all.length * 0.98))];
}

// covers: X.22
export async function bars(world) {
  const { report } = world;
  const quick = [];
  const slow = [];
  let files = [];
  for (let turn = 0; turn < 3; ++turn) {
    const first = await firstLoad(world, false);
    quick.push(first.took);
    files = first.files;
    slow.push((await firstLoad(world, true)).took);
  }
  world.check(files.length <= MOST_REQUESTS, `the first page is ${files.length} files, besides the API's answers: ${files.map((url) => url.split("/").at(-1)).join(", ")}`);
  report(`largest paint, loopback: ${median(quick).toFixed(0)} ms (bar 500)`);
  report(`largest paint, a quarter of the processor, 10 Mbit/s and 40 ms: ${median(slow).toFixed(0)} ms (bar 1500)`);
  report(`98th of a hundred interactions: ${(await interactions(world)).toFixed(0)} ms (bar 100)`);
  report(`the machine: ${os.cpus().length} cores, load average ${os.loadavg()[0].toFixed(1)}`);
}
