// How a session begins, and what its end leaves.
import http from "node:http";

import { violations } from "./browser.mjs";
import { beginChat } from "./flows.mjs";
import { signIn } from "./world.mjs";

async function loginPage({ server, pictures, openNew, check }) {
  for (const theme of ["light", "dark"])
    for (const width of [1280, 360]) {
      const { page } = await openNew({ width, theme });
      await page.goto(`${server.origin}/`);
      check(page.url() === `${server.origin}/console`, "the server's address leads to the console");
      await page.getByRole("heading", { name: "Sign in" }).waitFor();
      await page.screenshot({ path: `${pictures}/login-${theme}-${width}.png` });
      const found = await violations(page);
      check(found.length === 0, `the login breaks no rule of accessibility ${theme} ${width} ${found.join("; ")}`);
    }
}

// Another browser used the link: its owner is told, and nobody can use it again.
async function stolenLink({ server, openNew, check, usedLink: link }) {
  const { page } = await openNew();
  await page.goto(server.origin + link.slice(link.indexOf("/console")));
  await page.getByRole("button", { name: "Sign in" }).click();
  const words = await page.getByRole("alert").textContent();
  check(words === "This link does not work, or no longer. Each link works once, for 15 minutes.", `who opens a used link is told so: ${words}`);
  check(!page.url().includes("login="), "a used link leaves no token in the address");
  const token = link.slice(link.indexOf("login=") + 6);
  const status = await page.evaluate(async (own) => (await fetch("/api/v1/login", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ token: own }) })).status, token);
  check(status === 401, `a replay of a used link is refused: ${status}`);
}

const statusOf = ({ server }, path, headers) =>
  new Promise((resolve, reject) => {
    http.get({ host: "127.0.0.1", port: server.port, path, headers }, (answer) => resolve(answer.resume().statusCode)).once("error", reject);
  });

async function ownCookie(context) {
  const [{ name, value }] = await context.cookies();
  return `${name}=${value}`;
}

// Another port of this machine is the same site: its pages' requests carry the cookie.
async function otherSites(world) {
  const { server, openNew, check } = world;
  const { context, page } = await openNew();
  await signIn(page, server);
  const attacker = http.createServer((_request, response) => response.writeHead(200, { "Content-Type": "text/html" }).end(`<form method="post" action="${server.origin}/api/v1/pause"><button>x</button></form>`));
  await new Promise((resolve) => attacker.listen(0, "127.0.0.1", resolve));
  try {
    await page.goto(`http://127.0.0.1:${attacker.address().port}/`);
    const hidden = page.waitForEvent("requestfailed", (request) => request.url().endsWith("/api/v1/pause"));
    await page.evaluate((origin) => void fetch(`${origin}/api/v1/pause`, { method: "POST", mode: "no-cors", credentials: "include" }).catch(() => undefined), server.origin);
    check((await hidden).failure().errorText.includes("BLOCKED_BY_RESPONSE"), "a script of another site does not get even a refusal");
    const sent = page.waitForResponse(/\/api\/v1\/pause$/);
    await page.getByRole("button").click();
    const answer = await sent;
    check((await answer.request().allHeaders()).cookie?.includes("prs_"), "a form of another site takes the session's cookie along");
    check(answer.status() === 403, "a form of another site does nothing with the session");
    const { pauses } = await server.api("GET", "/api/v1/pauses");
    check(pauses.length === 0, "no other site has paused anything");
  } finally {
    attacker.close();
  }
  const cookie = await ownCookie(context);
  for (const path of ["/console", "/api/v1/me"]) check((await statusOf(world, path, { Host: "attacker.example", Cookie: cookie })) === 403, `${path} is refused under a name that is not this server's`);
}

async function revoked(world) {
  const { server, openNew, check } = world;
  const { context, page } = await openNew();
  await signIn(page, server);
  const cookie = await ownCookie(context);
  check((await statusOf(world, "/api/v1/me", { Cookie: cookie })) === 200, "a session's cookie opens the API");
  const { session_id: id } = await page.evaluate(async () => (await fetch("/api/v1/me")).json());
  await page.goto(`${server.origin}/console/tokens`);
  await page.getByRole("heading", { name: "Tokens and sessions" }).waitFor();
  await server.api("DELETE", `/api/v1/console/sessions/${id}`);
  check((await statusOf(world, "/api/v1/me", { Cookie: cookie })) === 401, "the cookie of a revoked session opens nothing");
  await page.getByRole("dialog", { name: "Sign in again" }).waitFor();
  check(true, "a page whose session was revoked asks for a login by itself");
}

async function endWhileTyping({ server, openNew, check }) {
  const { context, page } = await openNew();
  await signIn(page, server);
  await page.goto(`${server.origin}/console/jobs?state=completed`);
  const field = page.getByLabel("Lane, or a part of it");
  await field.fill("half a wo");
  await context.clearCookies();
  await field.press("Enter");
  await page.getByRole("dialog", { name: "Sign in again" }).waitFor();
  check((await field.inputValue()) === "half a wo", "a session that ends leaves what was typed");
}

// Tabs of one session.
async function twoTabs({ server, openNew, check, lane }) {
  const { context, page: left } = await openNew();
  await signIn(left, server);
  const right = await context.newPage();
  await left.goto(`${server.origin}/console/lanes/${encodeURIComponent(lane)}`);
  await right.goto(`${server.origin}/console/lanes`);
  await right.getByText("live", { exact: true }).first().waitFor();
  await left.getByRole("button", { name: "Pause", exact: true }).click();
  const row = right.locator("tbody tr", { has: right.getByRole("button", { name: "Resume", exact: true }) });
  await row.first().waitFor();
  check(true, "what is done in one tab is seen in another");
  await left.getByRole("button", { name: "Resume", exact: true }).click();
  await row.first().waitFor({ state: "detached" });

  await right.goto(`${server.origin}/console/chat/${await beginChat(server, "todo")}`);
  const field = right.getByLabel("Message", { exact: true });
  await field.fill("half a sentence");
  await left.getByRole("button", { name: "Sign out" }).click();
  await left.getByRole("heading", { name: "Sign in" }).waitFor();
  const login = right.getByRole("dialog", { name: "Sign in again" });
  await login.waitFor();
  check((await field.inputValue()) === "half a sentence", "signing out in one tab leaves what was typed in another");
  const { url } = JSON.parse(await server.command("console", "link", "--json"));
  await login.getByLabel("Or paste the link").fill(url);
  await login.getByRole("button", { name: "Sign in" }).click();
  await login.waitFor({ state: "detached" });
  check((await field.inputValue()) === "half a sentence", "the tab goes on where it was after the next login");
}

// covers: X.22
export async function session(world) {
  await loginPage(world);
  await stolenLink(world);
  await otherSites(world);
  await revoked(world);
  await endWhileTyping(world);
  await twoTabs(world);
}
