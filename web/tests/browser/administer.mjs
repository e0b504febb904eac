// Operations in the console: a schedule from its form to its end, a flow, a bot, a model, and the forms that send nothing wrong.
import { until } from "./server.mjs";

async function schedules(page, server, check) {
  await page.goto(`${server.origin}/console/schedules`);
  await page.getByRole("button", { name: "New schedule" }).click();
  const dialog = page.getByRole("dialog", { name: "New schedule" });
  await dialog.getByLabel("Name", { exact: true }).fill("every morning");
  const cron = dialog.getByLabel("Cron expression");
  await cron.fill("0 25 * * *");
  await dialog.getByText("hour (column").waitFor();
  check((await cron.getAttribute("aria-invalid")) === "true", "a wrong expression is named at its field before it is saved");
  await cron.fill("0 9 * * mon-fri");
  await dialog.getByText("It runs next at").waitFor();
  check((await dialog.locator("ol li").count()) === 5, "a form shows the next times of its expression");
  const flow = dialog.getByLabel("Flow", { exact: true });
  const input = dialog.getByLabel("Input (JSON)");
  await flow.fill("nothing");
  await dialog.getByText("There is no such flow.").waitFor();
  await flow.fill("assistant");
  await until(async () => (await input.inputValue()).includes('"flow": "assistant"'), "a flow that was named writes no input");
  check((await input.inputValue()).includes('"version"'), "any flow can be named, and writes the input of the jobs");
  await dialog.getByLabel("Input (JSON)").fill("{");
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.getByText("The input is not JSON").first().waitFor();
  await dialog.getByLabel("Input (JSON)").fill('{"flow": "nothing", "version": 1}');
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.getByText("there is no flow nothing").first().waitFor();
  check((await dialog.getByText("there is no flow nothing").count()) === 1, "what is wrong with a form is said once");
  await flow.fill("todo");
  await until(async () => (await input.inputValue()).includes('"flow": "todo"'), "another flow writes no other input");
  await dialog.getByRole("button", { name: "Save" }).click();
  const row = page.getByRole("row", { name: /every morning/ });
  await row.waitFor();
  await page.getByRole("button", { name: "New schedule" }).click();
  await dialog.getByLabel("Name", { exact: true }).fill("every morning");
  await dialog.getByLabel("Input (JSON)").fill("{}");
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.getByText("There is a schedule every morning already.").first().waitFor();
  check(true, "a new schedule replaces none");
  await dialog.getByRole("button", { name: "Back" }).click();
  await row.getByRole("button", { name: "Pause" }).click();
  await row.getByRole("button", { name: "Resume" }).click();
  await row.getByRole("button", { name: "Change every morning" }).click();
  await page.getByRole("dialog").getByLabel("Cron expression").fill("@daily");
  await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
  await row.getByText("@daily").waitFor();
  await row.getByRole("button", { name: "Remove" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
  await row.waitFor({ state: "detached" });
  check(true, "a schedule is made, paused, resumed, changed and removed");
}

async function importFlow(page, document) {
  await page.getByRole("button", { name: "Import" }).click();
  const dialog = page.getByRole("dialog", { name: "Import a flow" });
  await dialog.getByLabel("File").setInputFiles({ name: "greeter.json", mimeType: "application/json", buffer: Buffer.from(JSON.stringify(document)) });
  await dialog.getByRole("button", { name: "Import" }).click();
  return dialog;
}

async function flows(page, server, check) {
  await page.goto(`${server.origin}/console/flows`);
  const wrong = await importFlow(page, { format: 1, name: "greeter", nodes: "none" });
  await wrong.getByRole("alert").first().waitFor();
  const refusal = (await wrong.getByRole("alert").first().innerText()).trim();
  check((await wrong.getByRole("alert").count()) === 1 && (await page.locator(".toast").count()) === 0 && new Set(refusal.split("\n")).size === refusal.split("\n").length, `a file that is no flow is refused once, with what is wrong: ${refusal}`);
  await wrong.getByRole("button", { name: "Back" }).click();
  const made = await page.evaluate(async () => (await (await fetch("/api/v1/flows/assistant/export")).json()));
  await importFlow(page, { ...made, name: "greeter" });
  await page.getByRole("heading", { name: "greeter", level: 1 }).waitFor();
  const press = (name) => page.locator("main").getByRole("button", { name, exact: true }).click();
  const operate = async (name, act) => {
    await press(name);
    await page.getByRole("dialog").getByRole("button", { name: act ?? name, exact: true }).click();
  };
  await press("Validate the draft");
  await page.getByRole("dialog").getByText("The draft can be published.").waitFor();
  await page.getByRole("dialog").getByRole("button", { name: "Close" }).click();
  await operate("Publish the draft", "Publish");
  await page.getByRole("table", { name: "Versions" }).getByText("v1").waitFor();
  await operate("Restore a version", "Restore");
  await page.getByText("is the draft now").waitFor();
  const download = page.waitForEvent("download");
  await operate("Export", "Save as a file");
  check((await download).suggestedFilename() === "greeter.json", "a flow is exported as a file");
  await operate("Archive");
  await operate("Delete");
  await page.getByRole("heading", { name: "Flows", level: 1 }).waitFor();
  await page.getByRole("button", { name: "With archived" }).click();
  await page.getByRole("link", { name: "assistant", exact: true }).waitFor();
  check((await page.getByRole("link", { name: "greeter", exact: true }).count()) === 0, "a flow is imported, validated, published, restored, archived and deleted");
}

async function bot(page, server, check) {
  await page.goto(`${server.origin}/console/bots`);
  await page.getByRole("link", { name: "Set up" }).first().click();
  await page.getByRole("button", { name: "Check now" }).click();
  await page.locator(".findings li").first().waitFor();
  check((await page.locator(".findings li").count()) >= 3, "a bot's check says who it is, how updates come and what it sees");
  await page.getByRole("button", { name: "Set webhook" }).click();
  await page.getByText("The webhook is set.").waitFor();
  await page.getByRole("button", { name: "Wait for a message" }).click();
  await page.getByText("Waiting for a message").waitFor();
  check(true, "a bot's webhook is set, and its page waits for a stranger");
}

async function model(page, server, check) {
  await page.goto(`${server.origin}/console/models`);
  await page.getByRole("button", { name: /^Test / }).first().click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Ask", exact: true }).click();
  await dialog.getByText("It answers").waitFor();
  check((await dialog.getByText("Tokens").count()) > 0, "a model's test shows its answer with tokens");
}

async function event(page, server, check, lane) {
  await page.goto(`${server.origin}/console/lanes/${encodeURIComponent(lane)}`);
  await page.locator("main").getByRole("button", { name: "Send event" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Type").fill("hello");
  await dialog.getByLabel("Payload (JSON)").fill("{");
  await dialog.getByRole("button", { name: "Send" }).click();
  await dialog.getByText("The payload is not JSON").waitFor();
  await dialog.getByLabel("Payload (JSON)").fill("{}");
  await dialog.getByRole("button", { name: "Send" }).click();
  await dialog.waitFor({ state: "detached" });
  check(true, "an event is sent to a lane, and a wrong payload stays in the form");
}

async function linkAndAudit(page, server, check) {
  await page.goto(`${server.origin}/console/tokens`);
  await page.getByRole("button", { name: "New login link" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Make it" }).click();
  await dialog.getByText("/console#login=prl_").waitFor();
  await dialog.getByRole("button", { name: "Close" }).click();
  await page.goto(`${server.origin}/console/audit`);
  await page.getByRole("button", { name: "Export" }).click();
  const download = page.waitForEvent("download");
  await page.getByRole("dialog").getByRole("button", { name: "Export" }).click();
  check((await download).suggestedFilename() === "audit.jsonl", "a login link is made, and the audit is saved as a file");
}

export async function administer({ open, server, check, lane }) {
  const { page } = await open();
  await schedules(page, server, check);
  await flows(page, server, check);
  await bot(page, server, check);
  await model(page, server, check);
  await event(page, server, check, lane);
  await linkAndAudit(page, server, check);
}
