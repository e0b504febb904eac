// The canvas of executions and flows, the chart of usage, and a job with a result of ten megabytes.
import { openPage, overflows, violations } from "./browser.mjs";

const canvas = (page) => page.locator(".canvas .react-flow__node");
const card = (page, name) => canvas(page).filter({ has: page.getByText(name, { exact: true }) });

// By keyboard alone: a node opens by Enter, and Escape leads back to it.
async function executionByKeys(page, server, job, check) {
  await page.goto(`${server.origin}/console/executions/${job}`);
  await card(page, "Agent").waitFor();
  check((await page.locator(".canvas .carried").count()) > 0 && (await page.locator(".canvas .unused").count()) > 0, "edges that carried items differ from those that did not");
  await card(page, "Agent").focus();
  await page.keyboard.press("Enter");
  const inside = page.getByRole("complementary", { name: "Node Agent" });
  await inside.getByRole("tree", { name: "output of Agent" }).waitFor();
  check(await inside.evaluate((element) => element === document.activeElement), "a node opens by Enter and has the focus");
  check(page.url().includes("node=agent"), "the open node stands in the address");
  await page.keyboard.press("Escape");
  check((await inside.count()) === 0 && (await card(page, "Agent").evaluate((element) => element === document.activeElement)), "Escape closes it and leads back to its card");
  await card(page, "Reply").click();
  await page.getByRole("complementary", { name: "Node Reply" }).waitFor();
  check(true, "a node opens by a click");
  await page.waitForFunction(() => {
    const sides = (place) => document.querySelector(place).getBoundingClientRect();
    return sides(".react-flow__node.selected").right <= sides(".canvas").right;
  });
  check(true, "an open node stays in sight beside what is inside it");
}

// A turn that asks before it deletes waits; when it is answered, its graph follows.
async function followsTheRun(page, server, check) {
  const say = async (conversation, text) => page.evaluate(
    async ([id, words]) => (await (await fetch(`/api/v1/conversations/${id}/messages`, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ text: words }) })).json()).job_id,
    [conversation, text],
  );
  const conversation = await page.evaluate(async () => (await (await fetch("/api/v1/conversations", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ agent: "todo" }) })).json()).conversation_id);
  await say(conversation, "add feed the cat");
  const asking = await say(conversation, "delete feed the cat");
  await page.goto(`${server.origin}/console/executions/${asking}`);
  await card(page, "Agent").getByText("waiting").waitFor();
  await say(conversation, "yes");
  await card(page, "Agent").getByText("done").waitFor();
  await page.locator(".canvas .along.carried").nth(1).waitFor();
  check(true, "the graph of a run follows it from waiting to done");
  return asking;
}

async function flow(page, server, check) {
  await page.goto(`${server.origin}/console/flows`);
  await page.getByRole("link", { name: "todo", exact: true }).click();
  await card(page, "Agent").waitFor();
  await page.getByRole("table", { name: "Versions" }).getByText("v1").waitFor();
  await page.getByRole("table", { name: "Last runs" }).getByRole("link").first().waitFor();
  await page.getByRole("button", { name: "Compare version 1 with the draft" }).click();
  await page.getByText("There is no difference.").waitFor();
  await page.getByRole("checkbox", { name: "Draft" }).check();
  await page.getByText("Drawn: the draft").waitFor();
  await card(page, "Agent").click();
  await page.getByRole("tree", { name: "parameters of agent" }).waitFor();
  check(true, "a flow's page has its graph, versions, differences and last runs");
}

const days = [...Array(40).keys()].map((index) => ({ day: new Date(Date.UTC(2026, 9, 1 + index)).toISOString().slice(0, 10), calls: 3 + index, tokens_in: 900, tokens_out: 80, tokens_cached: 0, cost: index / 2 }));
// A demo pays nothing: the numbers are given.
const paid = (context) => context.route("**/api/v1/usage?*", (route) => route.fulfill({ json: { usage: days, timezone: "Pacific/Auckland" } }));

async function chart(page, server, check) {
  await page.goto(`${server.origin}/console/usage`);
  await page.getByRole("img", { name: "Cost by day in Pacific/Auckland" }).locator("canvas").waitFor();
  await page.getByRole("button", { name: "Tokens", exact: true }).click();
  await page.getByRole("img", { name: "Tokens by day" }).locator("canvas").waitFor();
  const ink = await page.locator(".chart canvas").evaluate((element) => element.getContext("2d").getImageData(0, 0, element.width, element.height).data.some((value) => value > 0));
  check(ink, "the chart of usage is drawn");
  const picture = await page.locator(".chart canvas").evaluate((element) => element.toDataURL());
  await page.getByRole("button", { name: "Theme" }).click();
  await page.waitForFunction((before) => document.querySelector(".chart canvas").toDataURL() !== before, picture);
  check(true, "the chart changes its colours with the theme");
  check((await page.getByRole("table", { name: "Usage" }).locator("tbody tr").count()) === days.length, "the table has the same numbers");
}

const addSteps = (server, rows) =>
  server.sql(`insert into postrider.step (job_id, attempt, seq, started_at, ended_at, node_id, key, outcome, result) ${rows}`);

// Counts are checked; times depend on the machine and are told.
async function largeResult(page, server, job, check) {
  const list = "jsonb_agg(jsonb_build_object('index', i, 'id', 9007199254740993 + i, 'words', 'words that fill the place of a result', 'more', jsonb_build_array(1, 2)))";
  await addSteps(server, `select ${job}, 1, 99, now(), now(), 1, 'large/list', 'done', ${list} from generate_series(1, 100000) i`);
  let bytes = 0;
  page.on("response", async (response) => {
    if (response.url().includes(`/api/v1/jobs/${job}?`)) bytes = Math.max(bytes, (await response.body().catch(() => "")).length);
  });
  await page.goto(`${server.origin}/console/jobs/${job}`);
  await page.locator(".waterfall summary", { hasText: "large/list" }).waitFor();
  await page.evaluate(() => {
    globalThis.tasks = [];
    new PerformanceObserver((entries) => globalThis.tasks.push(...entries.getEntries().map(({ duration }) => Math.round(duration)))).observe({ type: "longtask" });
  });
  await page.locator(".waterfall summary", { hasText: "large/list" }).click();
  const tree = page.getByRole("tree", { name: "result of large/list" });
  await tree.getByRole("treeitem").nth(20).waitFor();
  await tree.focus();
  for (const key of ["ArrowDown", "ArrowRight", "End", "Enter", "End", "Home"]) await page.keyboard.press(key);
  check(bytes > 0 && bytes < 1_000_000, `a job with a result of ten megabytes is read with ${bytes} bytes`);
  check((await tree.getByRole("treeitem").count()) < 100, "its tree has only the rows in sight");
  const whole = page.waitForEvent("download");
  await page.getByRole("link", { name: "Download all of it" }).click();
  check((await whole).suggestedFilename() === `job-${job}-step.json`, "all of it is a download");
  console.log(`     long tasks in its tree: ${await page.evaluate(() => globalThis.tasks.join(", ") || "none")} ms`);
}

async function manySteps(page, server, job, check) {
  await addSteps(server, `select ${job}, 1, 100 + i, now(), now(), 1, 'many/' || i, 'done', to_jsonb(i) from generate_series(1, 1000) i`);
  await page.goto(`${server.origin}/console/jobs/${job}`);
  const steps = page.getByRole("group", { name: "Steps and waits" });
  await steps.locator("summary").first().click();
  await steps.evaluate((element) => element.scrollTo(0, element.scrollHeight));
  await steps.locator("summary", { hasText: "many/1000" }).waitFor();
  check((await steps.locator("details").count()) < 100, "of a thousand steps only those in sight are in the page");
  await steps.evaluate((element) => element.scrollTo(0, 0));
  await steps.locator("details[open]").first().waitFor();
  check(true, "a step that was opened is open when it comes back");
}

// A new version of the server has other scripts: a page of the old one says so, and the rest of it stays. The browser reports
// the missing script, so this page is none of those that the part opened.
async function missingScript({ browser, server, state, check }) {
  const { context, page } = await openPage(browser, { width: 1280, theme: "light", state });
  await page.goto(`${server.origin}/console/jobs`);
  await page.locator("tbody tr").first().waitFor();
  await page.route("**/assets/chunk-*.js", (route) => route.fulfill({ status: 404 }));
  await page.getByRole("link", { name: "Flows", exact: true }).click();
  await page.getByRole("alert").getByRole("button", { name: "Load the page again" }).waitFor();
  await page.getByRole("link", { name: "Jobs", exact: true }).click();
  await page.locator("tbody tr").first().waitFor();
  check(true, "a page whose script is gone asks to load it again, and the others work");
  await context.close();
}

async function looks({ open, server, job, check }) {
  for (const theme of ["light", "dark"])
    for (const width of [1280, 360]) {
      const { context, page } = await open({ width, theme });
      await paid(context);
      for (const [path, seen] of [[`/executions/${job}?node=agent`, ".inspector"], ["/flows/todo?from=1", ".canvas .card"], ["/usage", ".chart canvas"]]) {
        await page.goto(`${server.origin}/console${path}`);
        await page.locator(seen).first().waitFor();
        const found = await violations(page);
        check(found.length === 0, `${path} ${theme} ${width} breaks no rule of accessibility ${found.join("; ")}`);
        check((await overflows(page)) <= 0, `${path} ${theme} ${width} is no wider than its screen`);
      }
    }
}

export async function graph(world) {
  const { open, server, job, check } = world;
  const { context, page } = await open();
  await executionByKeys(page, server, job, check);
  const own = await followsTheRun(page, server, check);
  await flow(page, server, check);
  await paid(context);
  await chart(page, server, check);
  await largeResult(page, server, own, check);
  await manySteps(page, server, own, check);
  await missingScript(world);
  await looks(world);
}
