// The pictures of docs/console.md: `node pictures.mjs PROGRAM FOLDER`. An installation of a ferry line, with its bot, its model and its
// booking system on this machine.
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";

import { launch, openPage } from "./browser.mjs";
import { startModel } from "./fake-model.mjs";
import { startTelegram } from "./fake-telegram.mjs";
import { flowOf, publish, startFlow } from "./flows.mjs";
import { startServer, until } from "./server.mjs";
import { settled, signIn } from "./world.mjs";

const [program, folder] = process.argv.slice(2).map((name) => path.resolve(name));
if (!program || !folder) throw new Error("usage: node pictures.mjs PROGRAM FOLDER");
const MOST_BYTES = 150_000;

const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
const people = [[61_204_117, "Ana Kovač"], [58_990_423, "Jonas Weber"], [70_331_950, "Mira Lindqvist"], [63_118_207, "Tom Okafor"]];

const tools = [
  { name: "find_sailings", title: "Find sailings", description: "Sailings of a day, with free places.", inputSchema: { type: "object", properties: { day: { type: "string" }, bicycles: { type: "integer" } } }, annotations: { readOnlyHint: true }, answer: '{"sailings":[{"at":"09:15","pier":4,"places":31},{"at":"13:40","pier":4,"places":112}]}' },
  { name: "book_seats", title: "Book seats", description: "Books and charges the customer's card.", inputSchema: { type: "object", properties: { sailing: { type: "string" }, adults: { type: "integer" }, bicycles: { type: "integer" }, total: { type: "string" } } }, annotations: { destructiveHint: true }, answer: '{"booking":"IF-48213","charged":"86.00 EUR"}' },
];

/** What the line's model would say. */
async function reply({ messages }) {
  await pause(650);
  const last = messages.at(-1);
  const asked = messages.filter(({ role }) => role === "user").at(-1).content;
  const text = typeof asked === "string" ? asked : JSON.stringify(asked);
  if (text.includes("refund")) return undefined; // it is down
  if (last.role === "tool" && String(last.content).includes("IF-48213")) return "Done. Your booking is IF-48213: 09:15 from pier 4, two adults and two bicycles. 86.00 EUR were charged.";
  if (last.role === "tool") return "On Saturday the ferry leaves at 09:15 and 13:40 from pier 4. Two bicycles fit on both. Shall I book?";
  if (text.includes("book")) return { tool: "bookings_book_seats", arguments: { sailing: "2026-12-05T09:15", adults: 2, bicycles: 2, total: "86.00 EUR" } };
  if (text.includes("ferry")) return { tool: "bookings_find_sailings", arguments: { day: "2026-12-05", bicycles: 2 } };
  return "You are welcome. Have a good trip!";
}

function settingsOf(model, telegram, file) {
  return `
[bots.ferries]
bot_token = "4242:pictures"
api_base = ${JSON.stringify(telegram.url)}
owners = [${people[0][0]}]
allowed_users = [${people.map(([id]) => id)}]

[models.default]
provider = "openai"
api = "chat"
model = "gpt-4o-mini"
base_url = ${JSON.stringify(model.url)}
stream = "never"
input_price = 15
output_price = 60

[mcp.bookings]
command = ${JSON.stringify([process.execPath, new URL("fake-mcp.mjs", import.meta.url).pathname, file])}
`;
}

function support() {
  const flow = flowOf("support", [["Customer", "telegram.message"], ["Assistant", "agent", { system_prompt: "You help the customers of a ferry line.", prompt: "{{ $json.text }}" }], ["Reply", "telegram.send", { text: "{{ $json.text }}" }]], { description: "Answers customers, finds and books sailings" });
  for (const [id, name, type, parameters] of [["model", "Model", "model", { model: "default" }], ["memory", "Memory", "memory.conversation", {}], ["tools", "Bookings", "tool.mcp", { servers: ["bookings"] }]]) flow.nodes.push({ id, name, type, parameters, position: [240, 160] });
  for (const [from, type] of [["model", "ai_model"], ["memory", "ai_memory"], ["tools", "ai_tool"]]) flow.connections.push({ from, to: "n1", type });
  return flow;
}

/** Says it, and waits for the answer or the question. */
async function turn(server, telegram, [user, name], text) {
  const before = telegram.sent.length;
  telegram.say(user, name, text);
  await until(async () => telegram.sent.length > before, `the bot does not answer “${text}”`);
}

async function live(server, telegram) {
  const [ana, jonas, mira, tom] = people;
  await publish(server, support());
  await publish(server, flowOf("timetable-import", [["Every night", "manual"], ["Stop", "stop", { message: "The timetable of the port has no sailings for 2026-12-06." }]], { description: "Reads the port's timetable" }));
  await publish(server, flowOf("feedback", [["After the trip", "manual"], ["Two days", "wait", { duration: "48h" }], ["Done", "set", { fields: { sent: true } }]]));
  await turn(server, telegram, jonas, "Which ferry can we take on Saturday with two bikes?");
  await turn(server, telegram, jonas, "Please book the first for two adults and our bikes.");
  const { approvals } = await server.api("GET", "/api/v1/approvals?state=waiting");
  await pause(1_500); // a person reads
  const before = telegram.sent.length;
  await server.api("POST", `/api/v1/approvals/${approvals[0].approval_id}/approve`, {});
  await until(async () => telegram.sent.slice(before).some((text) => text.includes("IF-48213")), "the booking is not confirmed");
  await turn(server, telegram, ana, "thank you!");
  await turn(server, telegram, mira, "Please book the 09:15 on Saturday, two adults, two bicycles.");
  for (let count = 0; count < 3; ++count) await startFlow(server, "feedback");
  for (let count = 0; count < 2; ++count) await startFlow(server, "timetable-import");
  telegram.refuse = (method, { text = "" }) => (method === "sendMessage" && text.includes("09:15") ? "lose" : undefined);
  telegram.say(...tom, "When does the ferry leave on Saturday?");
  telegram.say(80_117_333, "Rui Costa", "hello?"); // nobody let him in
  await until(async () => (await server.api("GET", "/api/v1/attention")).total >= 4, "nothing needs attention");
  return { job: approvals[0].job_id, lane: approvals[0].lane };
}

mkdirSync(folder, { recursive: true });
const scratch = mkdtempSync(path.join(os.tmpdir(), "postrider-pictures-"));
const file = path.join(scratch, "tools.json");
writeFileSync(file, JSON.stringify(tools));
const model = await startModel();
model.answer = reply;
const telegram = await startTelegram();
const server = await startServer(program, settingsOf(model, telegram, file));
const browser = await launch();
try {
  const { job, lane } = await live(server, telegram);
  const first = await openPage(browser, { width: 1280, theme: "light" });
  await signIn(first.page, server);
  const state = await first.context.storageState();
  const shots = [["attention", "", 1280, "light"], ["attention", "", 360, "dark"], ["job", `/jobs/${job}`, 1280, "light"], ["job", `/jobs/${job}`, 1280, "dark"], ["conversation", `/lanes/${encodeURIComponent(lane)}`, 1280, "light"]];
  for (const [name, place, width, theme] of shots) {
    const { context, page } = await openPage(browser, { width, height: width < 600 ? 720 : 900, theme, state });
    await page.goto(`${server.origin}/console${place}`);
    await settled(page);
    const target = `${folder}/console-${name}-${theme}-${width}.png`;
    await page.screenshot({ path: target });
    const { size } = statSync(target);
    console.log(`${target}: ${(size / 1000).toFixed(0)} kB`);
    if (size > MOST_BYTES) throw new Error(`${target} is larger than ${MOST_BYTES} bytes`);
    await context.close();
  }
} finally {
  await browser.close();
  await server.stop();
  model.stop();
  telegram.stop();
  rmSync(scratch, { recursive: true });
}
