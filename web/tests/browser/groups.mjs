// Groups in the console: a text is checked with other rules, a training is shown, done and undone, and a catch is undone.
import { settled } from "./world.mjs";

const text = "purple elephants dance on the roof tonight";

async function checker(page, server, check) {
  await page.goto(`${server.origin}/console/spam/check`);
  await page.getByLabel("Text", { exact: true }).fill("see https://example.org");
  await page.getByRole("button", { name: "Change a rule" }).click();
  await page.getByLabel("Rule 1").selectOption("links.weight");
  await page.getByLabel("Value 1").fill("2000");
  await page.locator("main").getByRole("button", { name: "Check", exact: true }).click();
  await page.getByRole("heading", { name: "With your changes" }).waitFor();
  await page.getByText("The message becomes spam.").waitFor();
  check((await page.getByRole("table", { name: "Checks that change" }).getByText("links", { exact: true }).count()) === 1, "a text is checked beside other rules, and the difference is named");
  await page.getByLabel("Value 1").fill("many");
  await page.locator("main").getByRole("button", { name: "Check", exact: true }).click();
  await page.getByRole("alert").first().waitFor();
  check((await page.getByRole("alert").count()) === 1, "a wrong value of a rule is said once");
}

async function training(page, server, check) {
  await page.goto(`${server.origin}/console/spam/samples`);
  await page.getByRole("button", { name: "Train", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Train the spam filter" });
  await dialog.getByLabel("Text", { exact: true }).fill(text);
  await dialog.getByRole("button", { name: "Show what it changes" }).click();
  await dialog.getByText("This text:").waitFor();
  check((await page.getByRole("row", { name: /elephants/ }).count()) === 0, "what a training changes is shown before it is done");
  await dialog.getByRole("button", { name: "Train", exact: true }).click();
  const row = page.getByRole("row", { name: /purple elephants/ });
  await row.waitFor();
  await row.getByRole("button", { name: "Withdraw" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Withdraw" }).click();
  await row.waitFor({ state: "detached" });
  check(true, "a training is done and undone");
}

const caught = `
insert into postrider.spam_verdict (chat_id, message_id, wording, user_id, is_spam, points, threshold, checks, content)
values (-4242, 5, 1, 7, true, 120, 100, '[{"check": "links", "score": 1, "weight": 120, "points": 120, "reason": "it has 3 links"}]', 'buy green elephants');
insert into postrider.spam_catch (chat_id, message_id, user_id, bot_id, name, action, content)
values (-4242, 5, 7, 1, 'Eve', 'delete', 'buy green elephants');
insert into postrider.spam_member (chat_id, user_id, strikes) values (-4242, 7, array[postrider.now()])`;

async function catches(page, server, check) {
  await server.sql(caught);
  await page.goto(`${server.origin}/console/spam`);
  const row = page.getByRole("row", { name: /green elephants/ });
  await row.getByText("deleted", { exact: true }).waitFor();
  await row.getByRole("button", { name: "Why" }).click();
  const why = page.getByRole("dialog", { name: "120 points of 100" });
  await why.getByRole("table", { name: "Checks" }).getByText("it has 3 links").waitFor();
  await why.getByRole("button", { name: "Close" }).click();
  await row.getByRole("button", { name: "Undo" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Undo" }).click();
  await row.getByText("undone", { exact: true }).waitFor();
  check((await row.getByRole("button", { name: "Undo" }).count()) === 0, "a catch says why, and is undone once");
  await page.goto(`${server.origin}/console/spam/samples?kind=ham`);
  await page.getByRole("row", { name: /green elephants/ }).getByText("unban").waitFor();
  check(true, "the filter learns from what was undone");
}

async function lists(page, server, check) {
  await page.goto(`${server.origin}/console/groups`);
  await settled(page);
  check((await page.getByText("No bot serves a group.").count()) === 1, "an installation without groups says how to add one");
  await page.goto(`${server.origin}/console/groups/-4242`);
  await page.getByText("No bot serves this group.").waitFor();
  check(true, "a group that no bot serves says so");
}

export async function groups({ server, check, open }) {
  const { page } = await open();
  await checker(page, server, check);
  await training(page, server, check);
  await catches(page, server, check);
  await lists(page, server, check);
}
