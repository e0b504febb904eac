// Large flows in the editor. Counts are checked; times depend on the machine and are told.
import os from "node:os";

import { card, draftOf, openEditor, saved } from "./editor.mjs";

const MOST_ELEMENTS = 12_000;
const MOST_HEAP = 120;
const MOST_GROWTH = 5;
const OPENS = 50;

function rowOf(count) {
  const nodes = Array.from({ length: count }, (_each, index) => ({ id: `n${index}`, name: `Node ${index}`, type: index ? "set" : "manual", position: [(index % 25) * 260, Math.floor(index / 25) * 140], ...(index ? { parameters: { fields: { index: String(index) } } } : {}) }));
  return { format: 1, name: `many-${count}`, nodes, connections: nodes.slice(1).map(({ id }, index) => ({ from: nodes[index].id, to: id })) };
}

/** The heap after the collector, in megabytes. */
async function heapOf(context, page) {
  const devtools = await context.newCDPSession(page);
  await devtools.send("HeapProfiler.collectGarbage");
  const { usedSize } = await devtools.send("Runtime.getHeapUsage");
  await devtools.detach();
  return usedSize / 1e6;
}

const elementsOf = (page) => page.evaluate(() => document.querySelectorAll("*").length);

/** Opens the flow in a new page, and tells when its first cards were drawn. */
async function opened({ open, server, check, report }, flow) {
  const { context, page } = await open();
  await page.addInitScript(() => {
    const look = () => requestAnimationFrame(() => (document.querySelector(".canvas .card") ? (globalThis.drawnAt = performance.now()) : look()));
    look();
  });
  await openEditor(page, server, flow.name);
  await card(page, "Node 1").waitFor();
  const count = flow.nodes.length;
  report(`${count} nodes: drawn ${(await page.evaluate(() => globalThis.drawnAt)).toFixed(0)} ms after the address was entered (bar for 500: 1000), with a load average of ${os.loadavg()[0].toFixed(1)}`);
  check((await page.locator(".canvas .card").count()) < 150, `${count} nodes open where the flow begins, and draw what is in sight`);
  await page.locator(".canvas .react-flow__minimap").waitFor();
  const heap = await heapOf(context, page);
  check(heap <= MOST_HEAP, `${count} nodes take ${heap.toFixed(0)} MB, at most ${MOST_HEAP}`);
  return { context, page };
}

/** While the node is dragged: which nodes and edges are drawn again, and how long frames take. */
async function drag(page, name, { report }) {
  await page.evaluate(() => {
    const note = (selector, of) => {
      const changed = new Set();
      for (const element of document.querySelectorAll(selector)) new MutationObserver(() => changed.add(element.dataset.id)).observe(element, of);
      return changed;
    };
    globalThis.redrawn = note(".react-flow__node", { attributes: true, childList: true, subtree: true, attributeFilter: ["style"] });
    globalThis.redrawnEdges = note(".react-flow__edge", { attributes: true, childList: true, subtree: true, attributeFilter: ["d"] });
    globalThis.frames = [];
    let before = performance.now();
    const frame = (now) => {
      globalThis.frames.push(now - before);
      before = now;
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  });
  const { x, y } = await card(page, name).boundingBox();
  await page.mouse.move(x + 5, y + 5);
  await page.mouse.down();
  await page.mouse.move(x + 60, y + 40, { steps: 30 });
  const { nodes, edges, frames } = await page.evaluate(() => ({ nodes: [...globalThis.redrawn], edges: [...globalThis.redrawnEdges].map((key) => key.split("\n").join(" ")), frames: globalThis.frames.sort((one, other) => one - other) }));
  await page.mouse.up();
  report(`a drag: 95th of ${frames.length} frames ${frames[Math.floor(frames.length * 0.95)].toFixed(0)} ms (bar 33)`);
  return { nodes, edges };
}

async function fiveHundred(world) {
  const { check, report } = world;
  const { page } = await opened(world, rowOf(500));
  await page.locator(".canvas .zoom").getByRole("button", { name: "Fit" }).click();
  await card(page, "Node 262").waitFor();
  await page.waitForFunction(() => document.querySelectorAll(".canvas .card").length > 400);
  const elements = await elementsOf(page);
  check(elements <= MOST_ELEMENTS, `500 nodes are ${elements} elements, at most ${MOST_ELEMENTS}`);
  const { nodes, edges } = await drag(page, "Node 262", world);
  check(nodes.join() === "n262", `a drag draws one node of 500 again: ${nodes.join(", ")}`);
  check(edges.length === 2 && edges.every((key) => key.includes("n262")), `and the edges of that node alone: ${edges.join(", ")}`);
  await card(page, "Node 262").focus();
  const asked = Date.now();
  await page.keyboard.press("c");
  await page.getByRole("dialog", { name: "Connect Node 262" }).locator("option").first().waitFor({ state: "attached" });
  report(`500 nodes: the dialog that connects one is open after ${Date.now() - asked} ms`);
  check((await page.getByRole("dialog").locator("option").count()) <= 100, "it shows a part of its list");
  await page.getByLabel("Find a node to connect").fill("node 499");
  check((await page.getByRole("dialog").locator("option").count()) === 1, "and finds the rest by a search");
}

async function thousand(world) {
  const { server, check, report } = world;
  const flow = rowOf(1000);
  const { page } = await opened(world, flow);
  const asked = Date.now();
  await page.keyboard.press("/");
  await page.keyboard.type("node 777");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.activeElement?.dataset.id === "n777");
  report(`1000 nodes: a search leads to one after ${Date.now() - asked} ms`);
  check(true, "of a thousand nodes, keys find one that was out of sight");
  await page.keyboard.press("Enter");
  await page.locator(".editor-panel").getByLabel("index", { exact: true }).fill("other");
  await saved(page);
  check((await draftOf(server, flow.name)).nodes[777].parameters.fields.index === "other", "and it is changed and saved");
  await page.locator(".canvas .zoom").getByRole("button", { name: "Fit" }).click();
  await page.waitForFunction(() => document.querySelectorAll(".canvas .card").length > 600);
  report(`1000 nodes in sight are ${await elementsOf(page)} elements`);
  const { nodes } = await drag(page, "Node 512", world);
  check(nodes.join() === "n512", `a drag draws one node of 1000 again: ${nodes.join(", ")}`);
}

export async function editorLarge(world) {
  for (const count of [500, 1000]) await world.server.api("POST", "/api/v1/flows", rowOf(count));
  await fiveHundred(world);
  await thousand(world);
}

/** What an editor leaves behind when it is closed. */
export async function editorOpens(world) {
  const { open, server, check } = world;
  const flow = { ...rowOf(500), name: "opened-often" };
  await server.api("POST", "/api/v1/flows", flow);
  const { context, page } = await open();
  await openEditor(page, server, flow.name);
  const again = async () => {
    await page.getByRole("link", { name: "Versions" }).click();
    await page.getByRole("link", { name: "Edit", exact: true }).click();
    await page.locator(".editing .card").first().waitFor();
  };
  for (let times = 0; times < 3; ++times) await again(); // what is loaded once is loaded
  const before = await heapOf(context, page);
  for (let times = 0; times < OPENS; ++times) await again();
  const growth = (await heapOf(context, page)) - before;
  check(growth <= MOST_GROWTH, `${OPENS} times opened, 500 nodes leave ${growth.toFixed(1)} MB behind, at most ${MOST_GROWTH}`);
}
