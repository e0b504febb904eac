// The editor in both themes at both widths, with its dialogs.
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
  notes: [{ id: "words", text: "What it is for", x: 0, y: 140, width: 200, height: 120, color: "green" }, { id: "frame", text: "Parts", x: 230, y: 130, width: 320, height: 150, group: true }],
};

const dialogs = [
  ["add", (page) => page.keyboard.press("a")],
  ["connect", (page) => page.keyboard.press("c")],
  ["keys", (page) => page.getByRole("button", { name: "Keys", exact: true }).click(), 1280],
  ["run", (page) => page.getByRole("button", { name: "Run", exact: true }).click()],
  ["publish", (page) => page.getByRole("button", { name: "Publish", exact: true }).click()],
];

export async function editorLooks({ open, server, pictures, check }) {
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
      for (const tab of ["Options", "Connections", "Data"]) {
        await page.locator(".editor-panel").getByRole("button", { name: tab, exact: true }).click();
        await holds(`a node's ${tab}`);
      }
      await page.getByRole("button", { name: "Outline", exact: true }).click();
      await page.locator(".outline-line").first().waitFor();
      await holds("its outline");
      await page.getByRole("button", { name: /problem/ }).click();
      await page.locator(".problem").first().waitFor();
      await holds("its problems");
      await card(page, "Assistant").focus();
      for (const [name, ask, least = 0] of dialogs) {
        if (width < least) continue;
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
