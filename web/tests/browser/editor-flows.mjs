// Three ordinary flows, each built by mouse and again by keyboard alone. Each is run and watched, published, broken on purpose,
// rolled back, and then works as before.
import { card, draftOf, saved } from "./editor.mjs";
import { startFlow } from "./flows.mjs";
import { keysOf, mouseOf, panelOf } from "./hands.mjs";
import { until } from "./server.mjs";

const BOT = "demo";
const CHAT = "1000";

const field = (page, label) => panelOf(page).getByLabel(label, { exact: true });
const button = (page, name) => page.getByRole("button", { name, exact: true });
const dialogOf = (page) => page.getByRole("dialog");
const live = (page, node, state) => page.locator(`.live-run .card[data-state=${state}]`).filter({ has: page.getByText(node, { exact: true }) });

/** What the bot has said with these words. */
async function saidOf(server, words) {
  const { messages } = await server.api("GET", "/api/v1/demo/chat");
  return messages.filter(({ content }) => content === words).length;
}

async function isSaid(server, words, act) {
  const before = await saidOf(server, words);
  await act();
  await until(async () => (await saidOf(server, words)) > before, `nobody said ${words}`);
}

async function begin({ hand, page, server }, name) {
  await page.goto(`${server.origin}/console/flows`);
  await hand.click(button(page, "New flow"));
  await hand.write(dialogOf(page).getByRole("textbox", { name: "Name" }), name);
  await hand.click(button(page, "Make it"));
  await page.locator(".editor .canvas").waitFor();
}

/** A node with what its panel asks for. `fill` gets the hand and the page. */
async function add({ hand, page }, [search, title], fill = async () => undefined) {
  await hand.add(search, title);
  await fill();
}

const more = ({ hand, page }) => hand.click(panelOf(page).locator(".form-more > summary"));

async function addAgent(desk, prompt) {
  const { hand, page } = desk;
  await add(desk, ["agent", "Agent"], () => hand.write(field(page, "Prompt"), prompt));
  await add(desk, ["configured model", "Configured model"], () => hand.pick(field(page, "Model"), "slow"));
  await hand.connect(["Configured model", "ai_model"], ["Agent", "ai_model"]);
}

async function addSend(desk, text) {
  const { hand, page } = desk;
  await add(desk, ["telegram.send", "Send to Telegram"], async () => {
    await hand.write(field(page, "Text"), text);
    await more(desk);
    await hand.pick(field(page, "Bot"), BOT);
    await hand.write(field(page, "Chat"), CHAT);
  });
}

async function runDraft({ hand, page }, data) {
  await saved(page);
  await hand.click(button(page, "Run"));
  if (data !== undefined) await hand.write(dialogOf(page).getByLabel("Data (JSON)"), JSON.stringify(data));
  await hand.click(dialogOf(page).getByRole("button", { name: "Run", exact: true }));
  await page.locator(".live-run .card").first().waitFor();
}

const back = ({ hand, page }) => hand.click(button(page, "Back to the draft"));

async function publish({ hand, page }, version) {
  await saved(page);
  await hand.click(button(page, "Publish"));
  await dialogOf(page).locator(".publish-diff").waitFor();
  await hand.click(dialogOf(page).getByRole("button", { name: "Publish", exact: true }));
  await page.getByText(`v${version} is published.`).waitFor();
}

/** The flow is broken by `act`, fails where it is broken, in sight, and is rolled back to its first version. */
async function breakAndRollBack(desk, name, { act, run, node }) {
  const { hand, page, server, check } = desk;
  const before = (await draftOf(server, name)).nodes;
  await act();
  await publish(desk, 2);
  await run();
  await live(page, node, "failed").waitFor();
  await page.locator(".live-run .editor-bar .bad").waitFor();
  check(true, `${name}, broken on purpose, fails in sight at ${node}, and says why`);
  await back(desk);
  await hand.click(page.getByRole("link", { name: "Versions" }));
  await hand.click(button(page, "Roll back to version 1"));
  await hand.click(dialogOf(page).getByRole("button", { name: "Roll back" }));
  await page.getByText(`${name} runs as in v1 again, as v3.`).waitFor();
  check(JSON.stringify((await draftOf(server, name)).nodes) === JSON.stringify(before), `${name} is rolled back by its button`);
}

async function notice(desk) {
  const { hand, page, server, web, model, check } = desk;
  const name = `notice-${hand.name}`;
  const words = `An order of Ada, by ${hand.name}.`;
  model.answer = (asked) => (JSON.stringify(asked.messages).includes("Order 7 of Ada") ? words : "What order?");
  await begin(desk, name);
  await add(desk, ["webhook", "Webhook"], async () => {
    await hand.write(field(page, "Path"), name);
    await more(desk);
    await hand.pick(field(page, "Secret"), "hook");
  });
  await add(desk, ["http.request", "HTTP request"], async () => {
    await hand.write(field(page, "URL"), `http://${web.host}/orders/{{ $json.body.order }}`);
    await more(desk);
    await hand.pick(field(page, "Credential"), "shop");
  });
  await addAgent(desk, "Order {{ $json.id }} of {{ $json.customer }}");
  await addSend(desk, "{{ $json.text }}");
  for (const [from, to] of [["Webhook", "HTTP request"], ["HTTP request", "Agent"], ["Agent", "Send to Telegram"]]) await hand.connect([from, "main"], [to, "main"]);
  const order = { body: { order: 7 } };
  await isSaid(server, words, () => runDraft(desk, order));
  await live(page, "Send to Telegram", "done").waitFor();
  check(true, `by ${hand.name}: a webhook's order is fetched with a credential, and an agent tells it in Telegram`);
  await back(desk);
  await publish(desk, 1);
  const hook = () => server.api("POST", `/hooks/${name}`, order.body, { Authorization: "Bearer hook" });
  await isSaid(server, words, hook);
  await breakAndRollBack(desk, name, {
    node: "HTTP request",
    run: () => runDraft(desk, order),
    act: async () => {
      await hand.open("HTTP request");
      await hand.write(field(page, "URL"), `http://${web.host}/nowhere`);
    },
  });
  await isSaid(server, words, hook);
  check(true, `${name} answers its webhook as before`);
}

async function digest(desk) {
  const { hand, page, server, web, model, check } = desk;
  const name = `digest-${hand.name}`;
  const titles = (count) => Array.from({ length: count }, (_each, index) => `${hand.name}-${index + 1}`);
  const words = (...numbers) => `New: ${numbers.map((number) => `${hand.name}-${number}`).join(", ")}`;
  model.answer = (asked) => `New: ${[...new Set(JSON.stringify(asked.messages).match(new RegExp(`${hand.name}-[0-9]+`, "g")))].join(", ")}`;
  web.entries = titles(2);
  await begin(desk, name);
  await add(desk, ["manual", "Manual"]);
  await add(desk, ["http.request", "HTTP request"], () => hand.write(field(page, "URL"), `http://${web.host}/feed.xml`));
  await add(desk, ["xml.read", "Read XML"], async () => {
    await hand.write(field(page, "Text"), "{{ $json.body }}");
    await hand.click(panelOf(page).getByRole("button", { name: "Add to Lists" }));
    await hand.write(field(page, "Element 1"), "item");
  });
  await add(desk, ["items.split", "Split items"], () => hand.write(field(page, "List"), "{{ $json.xml.rss.channel.item }}"));
  await add(desk, ["items.unique", "Remove duplicates"], async () => {
    await hand.write(field(page, "By"), "{{ $json.link }}");
    await hand.choose(field(page, "Among"), "earlier");
  });
  await add(desk, ["items.aggregate", "Aggregate items"]);
  await addAgent(desk, "The entries: {{ $json.items }}");
  await addSend(desk, "{{ $json.text }}");
  const row = ["Manual", "HTTP request", "Read XML", "Split items", "Remove duplicates", "Aggregate items", "Agent", "Send to Telegram"];
  for (let index = 1; index < row.length; ++index) await hand.connect([row[index - 1], "main"], [row[index], "main"]);
  await isSaid(server, words(1, 2), () => runDraft(desk));
  await live(page, "Send to Telegram", "done").waitFor();
  await back(desk);
  await publish(desk, 1);
  web.entries = titles(3);
  await isSaid(server, words(3), () => startFlow(server, name));
  check(true, `by ${hand.name}: a digest of a feed has what is new in it, and remembers what it had`);
  await breakAndRollBack(desk, name, {
    node: "Split items",
    run: () => runDraft(desk),
    act: async () => {
      await hand.open("Split items");
      await hand.write(field(page, "List"), "{{ $json.xml.rss.channel.entry }}");
    },
  });
  web.entries = titles(4);
  await isSaid(server, words(4), () => startFlow(server, name));
  check(true, `${name} remembers also what it had before`);
}

/** Presses the newest button of that name in the demo's chat. */
async function pressButton(server, name) {
  let open;
  const look = async () => {
    const { messages } = await server.api("GET", "/api/v1/demo/chat");
    const last = messages.at(-1);
    open = last?.buttons?.flat().some(({ text }) => text === name) ? last : undefined;
    return open !== undefined;
  };
  await until(look, `there is no button ${name}`);
  await server.api("POST", "/api/v1/demo/presses", { message: open.id, data: open.buttons.flat().find(({ text }) => text === name).data });
}

async function approval(desk) {
  const { hand, page, server, check } = desk;
  const name = `approval-${hand.name}`;
  await begin(desk, name);
  await add(desk, ["manual", "Manual"]);
  await add(desk, ["items.repeat", "Repeat"]);
  await add(desk, ["telegram.ask", "Ask in Telegram"], async () => {
    await hand.write(field(page, "Text"), "{{ $json.text }}");
    for (const [index, choice] of ["send", "again"].entries()) {
      await hand.click(panelOf(page).getByRole("button", { name: "Add to Choices" }));
      await hand.write(panelOf(page).getByRole("group", { name: `Element ${index + 1}` }).getByLabel("Name", { exact: true }), choice);
    }
    await more(desk);
    await hand.pick(field(page, "Bot"), BOT);
    await hand.write(field(page, "Chat"), CHAT);
  });
  const addSet = (title, member, text) =>
    add(desk, ["set fields", title], async () => {
      await hand.write(field(page, "Name of a new member of Fields"), member);
      await hand.click(panelOf(page).getByRole("button", { name: "Add to Fields" }));
      await hand.write(field(page, member), text);
    });
  await addSet("Set fields", "text", "{{ $json.text }}!");
  await add(desk, ["if", "If"], () => hand.write(field(page, "Condition"), "{{ $json.text.size() > 10 }}"));
  await addSet("Set fields 2", "size", "long");
  await addSet("Set fields 3", "size", "short");
  await add(desk, ["items.merge", "Merge items"]);
  await addSend(desk, "{{ $json.size }}: {{ $json.text }}");
  const connections = [
    ["Manual", "main", "Repeat", "main"],
    ["Repeat", "each", "Ask in Telegram", "main"],
    ["Ask in Telegram", "again", "Set fields", "main"],
    ["Set fields", "main", "Repeat", "again"],
    ["Ask in Telegram", "send", "Repeat", "finished"],
    ["Repeat", "done", "If", "main"],
    ["If", "true", "Set fields 2", "main"],
    ["If", "false", "Set fields 3", "main"],
    ["Set fields 2", "main", "Merge items", "first"],
    ["Set fields 3", "main", "Merge items", "second"],
    ["Merge items", "main", "Send to Telegram", "main"],
  ];
  for (const [from, output, to, input] of connections) await hand.connect([from, output], [to, input]);
  const text = `A notice by ${hand.name}`;
  const approve = async (run, act) => {
    await run();
    await pressButton(server, "again");
    await until(async () => (await saidOf(server, `${text}!`)) > 0, "it does not ask again");
    await act?.();
    await pressButton(server, "send");
  };
  await isSaid(server, `long: ${text}!`, () => approve(() => runDraft(desk, { text }), () => live(page, "Ask in Telegram", "waiting").waitFor()));
  await live(page, "Send to Telegram", "done").waitFor();
  check(true, `by ${hand.name}: an approval asks again in a loop, takes a branch, and is merged`);
  await back(desk);
  await publish(desk, 1);
  await breakAndRollBack(desk, name, {
    node: "If",
    run: async () => {
      await runDraft(desk, { text });
      await pressButton(server, "send");
    },
    act: async () => {
      await hand.open("If");
      await hand.write(field(page, "Condition"), "{{ $json.nothing.size() > 10 }}");
    },
  });
  await isSaid(server, `short: brief`, async () => {
    await startFlow(server, name, { text: "brief" });
    await pressButton(server, "send");
  });
  check(true, `${name} takes the other branch as before`);
}

async function build(world, handOf, { page }) {
  const { answer } = world.model;
  try {
    for (const flow of [notice, digest, approval]) await flow({ ...world, page, hand: handOf(page) });
  } finally {
    world.model.answer = answer;
  }
}

const LARGE = { width: 1600, height: 1000 };

export async function flowsByMouse(world) {
  await build(world, mouseOf, await world.open(LARGE));
}

export async function flowsByKeyboard(world) {
  const opened = await world.open(LARGE);
  await opened.page.addInitScript(() => {
    for (const name of ["pointerdown", "mousedown", "touchstart"]) addEventListener(name, () => (globalThis.pointed = true), true);
  });
  await build(world, keysOf, opened);
  world.check(await opened.page.evaluate(() => globalThis.pointed !== true), "no pointer was used for it");
}
