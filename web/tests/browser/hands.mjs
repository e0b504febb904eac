// Two ways to work in the editor: by mouse, where only texts are typed, and by keyboard alone.
import { card, dropType, pull } from "./editor.mjs";
import { tabTo } from "./keyboard.mjs";

const MOST_TABS = 300;
const COLUMNS = 2;
/** Where the mouse drops the next node, below the hint of a connection, and not so near the edge that the canvas moves. */
const placeOf = (index) => [110 + (index % COLUMNS) * 330, 110 + Math.floor(index / COLUMNS) * 140];

export const panelOf = (page) => page.locator(".editor-panel");

const edges = (page) => page.locator(".editing .react-flow__edge");

export function mouseOf(page) {
  let dropped = 0;
  const hand = {
    name: "mouse",
    click: (element) => element.click(),
    async write(field, text) {
      await field.click();
      await field.selectText();
      await page.keyboard.type(text);
    },
    async pick(field, option) {
      await hand.write(field, option);
      await page.getByRole("option").filter({ hasText: option }).first().click();
    },
    /** A browser's own list cannot be clicked in a test. */
    choose: (field, value) => field.selectOption(value),
    /** The list has the type of "Set fields 2" without its number. */
    async add(_search, title) {
      await dropType(page, title.replace(/ [0-9]+$/, ""), placeOf(dropped++));
      await card(page, title).waitFor();
    },
    open: (node) => card(page, node).click(),
    async connect([from, output], [to, input]) {
      const before = await edges(page).count();
      await pull(page, [from, output], [to, input]);
      await edges(page).nth(before).waitFor({ state: "attached" });
    },
  };
  return hand;
}

export function keysOf(page) {
  const keys = page.keyboard;
  const atCard = (title) => page.waitForFunction((name) => document.activeElement?.closest(".react-flow__node")?.textContent.includes(name), title);
  /** Out of lists and fields, to the canvas; nothing is selected then. */
  const leave = async () => {
    for (let times = 0; times < 3; ++times) await keys.press("Escape");
  };
  const find = async (node) => {
    await leave();
    await keys.press("/");
    await page.waitForFunction(() => document.activeElement?.hasAttribute("data-search"));
    await keys.press("Control+a");
    await keys.type(node);
    await keys.press("Enter");
    await atCard(node);
  };
  const hand = {
    name: "keyboard",
    async click(element) {
      await tabTo(page, element, MOST_TABS);
      await keys.press("Enter");
    },
    async write(field, text) {
      await tabTo(page, field, MOST_TABS);
      await keys.press("Control+a");
      await keys.type(text);
    },
    async pick(field, option) {
      await hand.write(field, option);
      await page.getByRole("option").filter({ hasText: option }).first().waitFor();
      await keys.press("ArrowDown");
      await keys.press("Enter");
    },
    async choose(field, value) {
      await tabTo(page, field, MOST_TABS);
      await keys.press("Home");
      for (let steps = 0; (await field.inputValue()) !== value; ++steps) {
        if (steps > 20) throw new Error(`the keys do not lead to ${value}`);
        await keys.press("ArrowDown");
      }
    },
    async add(search, title) {
      await leave();
      await keys.press("a");
      await page.getByRole("dialog", { name: "Add a node" }).waitFor();
      await keys.type(search);
      await keys.press("Enter");
      await atCard(title);
      await keys.press("Enter");
      await panelOf(page).locator(".node-name").waitFor();
    },
    async open(node) {
      await find(node);
      await keys.press("Enter");
      await page.waitForFunction(() => document.activeElement?.closest(".editor-panel"));
    },
    async connect([from, output], [to, input]) {
      const before = await edges(page).count();
      await find(from);
      await keys.press("c");
      const dialog = page.getByRole("dialog", { name: `Connect ${from}` });
      await dialog.waitFor();
      const outputs = dialog.getByLabel("From its output");
      if ((await outputs.count()) > 0) await hand.choose(outputs, output);
      await hand.write(dialog.getByLabel("Find a node to connect"), input.startsWith("ai_") || input === "main" ? to : `${to} (${input})`);
      await keys.press("Enter");
      await dialog.waitFor({ state: "detached" });
      await edges(page).nth(before).waitFor({ state: "attached" });
    },
  };
  return hand;
}
