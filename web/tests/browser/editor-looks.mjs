// The editor in both themes at both widths, with its dialogs, and with many nodes.
import { overflows, violations } from "./browser.mjs";
import { card, openEditor } from "./editor.mjs";

const agent = {
  format: 1,
  name: "looks",
  nodes: [
    { id: "in", name: "Message", type: "chat", position: [0, 0] },
    { id: "agent", name: "Assistant", type: "agent", position: [300, 0], parameters: { system_prompt: "You help.", prompt: "{{ $json.text }} {{ $json.nothing }}" }, on_error: "error_output" },
    { id: "model", name: "Model", type: "model", position: [260, 180] },
    { id: "sum", name: "Sum", type: "tool.calculator", position: [400, 180] },
    { id: "reply", name: "Reply", type: "telegram.send", position: [620, -60] },
  ],
  connections: [{ from: "in", to: "agent" }, { from: "model", to: "agent", type: "ai_model" }, { from: "sum", to: "agent", type: "ai_tool" }, { from: "agent", to: "reply" }],
};

const dialogs = [
  ["add", (page) => page.keyboard.press("a")],
  ["connect", (page) => page.keyboard.press("c")],
  ["run", (page) => page.getByRole("button", { name: "Run", exact: true }).click()],
  ["publish", (page) => page.getByRole("button", { name: "Publish", exact: true }).click()],
];

async function looks({ open, server, pictures, check }) {
  await server.api("POST", "/api/v1/flows", agent);
  for (const theme of ["light", "dark"])
    for (const width of [1280, 360]) {
      const { page } = await open({ width, theme });
      const holds = async (words) => {
        const found = await violations(page);
        check(found.length === 0, `the editor, ${words}, ${theme} ${width} breaks no rule of accessibility ${found.join("; ")}`);
        check((await overflows(page)) <= 0, `the editor, ${words}, ${theme} ${width} is no wider than its screen`);
        await page.screenshot({ path: `${pictures}/editor-${words.replaceAll(" ", "-")}-${theme}-${width}.png` });
      };
      await openEditor(page, server, "looks");
      await card(page, "Reply").locator(".card-mark").waitFor();
      await holds("as it opens");
      await card(page, "Assistant").click();
      await page.getByLabel("System prompt", { exact: true }).waitFor();
      await holds("a node");
      await page.getByRole("button", { name: /problem/ }).click();
      await page.locator(".problem").first().waitFor();
      await holds("its problems");
      await card(page, "Assistant").focus();
      for (const [name, ask] of dialogs) {
        await ask(page);
        const dialog = page.getByRole("dialog");
        await dialog.waitFor();
        await page.waitForFunction(() => !document.querySelector("dialog .waiting"));
        await holds(`the dialog ${name}`);
        await page.keyboard.press("Escape");
        await dialog.waitFor({ state: "detached" });
      }
    }
}

// Counts are checked; times depend on the machine and are told.
async function many({ open, server, check, report }) {
  const nodes = Array.from({ length: 500 }, (_each, index) => ({ id: `n${index}`, name: `Node ${index}`, type: index ? "set" : "manual", position: [(index % 25) * 260, Math.floor(index / 25) * 140], ...(index ? { parameters: { fields: { index: String(index) } } } : {}) }));
  const connections = nodes.slice(1).map(({ id }, index) => ({ from: nodes[index].id, to: id }));
  await server.api("POST", "/api/v1/flows", { format: 1, name: "many", nodes, connections });
  const { page } = await open();
  const began = Date.now();
  await openEditor(page, server, "many");
  await page.locator(".canvas .card").first().waitFor();
  report(`500 nodes are open after ${Date.now() - began} ms`);
  const elements = await page.evaluate(() => document.querySelectorAll("*").length);
  check(elements <= 12_000, `500 nodes are ${elements} elements, at most 12,000`);
  await page.evaluate(() => {
    globalThis.redrawn = new Set();
    for (const node of document.querySelectorAll(".react-flow__node")) new MutationObserver(() => globalThis.redrawn.add(node.dataset.id)).observe(node, { attributes: true, childList: true, subtree: true, attributeFilter: ["style"] });
  });
  const { x, y } = await card(page, "Node 262").boundingBox();
  await page.mouse.move(x + 5, y + 5);
  await page.mouse.down();
  await page.mouse.move(x + 60, y + 40, { steps: 12 });
  const redrawn = await page.evaluate(() => [...globalThis.redrawn]);
  await page.mouse.up();
  check(redrawn.length === 1, `a drag moves one node of 500: ${redrawn.join(", ")}`);
}

export async function editorLooks(world) {
  await looks(world);
  await many(world);
}
