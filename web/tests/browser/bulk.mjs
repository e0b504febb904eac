// Operations on many jobs.
import { holding, publish, startFlow } from "./flows.mjs";
import { until } from "./server.mjs";
import { signIn } from "./world.mjs";

async function refused({ server, open, check }) {
  const { page } = await open();
  await page.goto(`${server.origin}/console/jobs?state=completed`);
  await page.getByLabel(/Select job/).first().check();
  await page.getByText("1 selected").waitFor();
  await page.getByRole("button", { name: "Cancel", exact: true }).click();
  await page.getByRole("dialog", { name: "Cancel 1 job?" }).waitFor();
  await page.getByRole("button", { name: "Cancel 1", exact: true }).click();
  await page.locator(".toast", { hasText: "refused" }).waitFor();
  check(true, "an operation on selected jobs names their number and lists refusals");
}

/** Jobs that wait for an event. */
export async function hold(server, count) {
  await publish(server, holding);
  const ids = [];
  for (let index = 0; index < count; ++index) ids.push(await startFlow(server, "holding"));
  const waiting = async () => {
    const { jobs } = await server.api("GET", "/api/v1/jobs?flow=holding&state=waiting&limit=200");
    return ids.every((id) => jobs.some(({ job_id }) => job_id === id));
  };
  await until(waiting, "the jobs do not wait");
  return ids;
}

// The session ends after the second of five: the rest stays selected, and goes on after the next login.
async function sessionEnds({ server, openNew, check }) {
  const { page } = await openNew();
  await signIn(page, server);
  const ids = await hold(server, 5);
  const { session_id: session } = await page.evaluate(async () => (await fetch("/api/v1/me")).json());
  let sent = 0;
  await page.route(/\/api\/v1\/jobs\/\d+\/cancel$/, async (route) => {
    sent += 1;
    if (sent === 3) await server.api("DELETE", `/api/v1/console/sessions/${session}`);
    await route.continue();
  });
  await page.goto(`${server.origin}/console/jobs?flow=holding&state=waiting`);
  for (const id of ids) await page.getByLabel(`Select job ${id}`, { exact: true }).check();
  await page.getByRole("button", { name: "Cancel", exact: true }).click();
  await page.getByRole("button", { name: "Cancel 5", exact: true }).click();
  const login = page.getByRole("dialog", { name: "Sign in again" });
  await login.waitFor();
  await page.locator(".toast", { hasText: "3 jobs left, and still selected" }).waitFor();
  check((await page.getByText("3 selected").count()) === 1, "when the session ends during an operation on many jobs, the rest stays selected");
  const { url } = JSON.parse(await server.command("console", "link", "--json"));
  await login.getByLabel("Or paste the link").fill(url);
  await login.getByRole("button", { name: "Sign in" }).click();
  await login.waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Cancel", exact: true }).click();
  await page.getByRole("button", { name: "Cancel 3", exact: true }).click();
  await page.locator(".toast", { hasText: "3 jobs done" }).waitFor();
  const { jobs } = await server.api("GET", "/api/v1/jobs?flow=holding&state=cancelled");
  check(ids.every((id) => jobs.some(({ job_id }) => job_id === id)), "it goes on after the next login");
  const acts = (await server.sql(`select job_id, count(*) from postrider.audit where kind like '%cancel%' and job_id in (${ids}) group by 1 order by 1`)).split("\n");
  check(acts.length === 5 && acts.every((line) => line.endsWith("|1")), `and does nothing twice: ${acts.join(" ")}`);
}

export async function bulk(world) {
  await refused(world);
  await sessionEnds(world);
}
