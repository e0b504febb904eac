// What another person settles while a dialog about it is open, and a server whose database does not answer.
import { violations } from "./browser.mjs";
import { beginChat, tell } from "./flows.mjs";
import { until } from "./server.mjs";

async function approvalOf(server) {
  const chat = await beginChat(server, "todo");
  await tell(server, chat, "add buy salt");
  await tell(server, chat, "delete buy salt");
  const { approvals } = await server.api("GET", "/api/v1/approvals?state=waiting");
  return approvals[0];
}

async function settledByAnother({ server, check }, page) {
  const { approval_id: id, tool } = await approvalOf(server);
  await page.goto(`${server.origin}/console/approvals`);
  const reject = page.getByRole("button", { name: "Reject", exact: true }).first();
  await reject.waitFor();
  const found = await violations(page);
  check(found.length === 0, `a call that waits breaks no rule of accessibility ${found.join("; ")}`);
  await reject.click();
  const dialog = page.getByRole("dialog", { name: `Reject ${tool}?` });
  await dialog.waitFor();
  await server.api("POST", `/api/v1/approvals/${id}/approve`, {});
  await dialog.getByText("Meanwhile this left the page").waitFor();
  check(await dialog.isVisible(), "a dialog stays when what it is about is settled, and says so");
  await dialog.getByRole("button", { name: "Reject", exact: true }).click();
  await dialog.getByRole("alert").waitFor();
  check((await page.locator(".toast").count()) === 0, "the refusal is shown in the dialog alone");
  await dialog.getByRole("button", { name: "Back" }).click();
  await dialog.waitFor({ state: "detached" });
  check(await page.evaluate(() => document.activeElement !== document.body), "the focus goes to a neighbour of what is gone");
}

// A lock that nobody gives back is as good as a database that hangs: connections and the stream stay open.
async function hangingDatabase({ server, check }, page) {
  await page.goto(`${server.origin}/console/`);
  await page.getByText("live", { exact: true }).first().waitFor();
  const held = server.sql("begin; lock table postrider.job in access exclusive mode; select pg_sleep(300)").catch(() => undefined);
  await page.getByText(/stale since \d\d:\d\d/).first().waitFor();
  check(true, "the badge says that the page is stale while nothing can be read, though the stream is open");
  await server.sql("select pg_terminate_backend(pid) from pg_stat_activity where query like '%pg_sleep(300)%' and pid <> pg_backend_pid()");
  await held;
  await until(async () => (await page.getByText("live", { exact: true }).count()) > 0, "the badge does not come back", 90_000);
  check(true, "and that it is live again");
}

export async function settled(world) {
  const { page } = await world.open();
  await settledByAnother(world, page);
  await hangingDatabase(world, page);
}
