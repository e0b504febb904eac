// A server of the tests: the given program in demo mode, with a data folder, a port and a Postgres of its own.
import { execFile, spawn } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import net from "node:net";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

export const freePort = () =>
  new Promise((resolve, reject) => {
    const probe = net.createServer().once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });

/** Asks until it is so. What it throws means that it is not so yet. */
export async function until(answered, problem, limit = 60_000) {
  for (const end = Date.now() + limit; Date.now() < end; ) {
    if (await answered().catch(() => false)) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(problem);
}

/** `settings`: its postrider.toml. */
export async function startServer(program, settings = "") {
  const folder = mkdtempSync(path.join(os.tmpdir(), "postrider-console-"));
  chmodSync(folder, 0o711); // started by root, the cluster runs as another user, who must get in
  writeFileSync(path.join(folder, "postrider.toml"), settings);
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const env = { ...process.env, POSTRIDER_DATA: path.join(folder, "data"), POSTRIDER_LISTEN: `127.0.0.1:${port}` };
  for (const name of ["DATABASE_URL", "TELEGRAM_BOT_TOKEN", "ANTHROPIC_API_KEY", "OPENAI_API_KEY", "POSTRIDER_CONFIG"]) delete env[name];
  const output = [];
  let child;
  const start = async () => {
    child = spawn(program, ["serve"], { cwd: folder, env, stdio: ["pipe", "pipe", "pipe"] });
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (piece) => output.push(String(piece)));
    await until(async () => (await fetch(`${origin}/readyz`)).ok, "the server did not become ready", 120_000).catch((error) => {
      throw new Error(`${error.message}:\n${output.join("")}`);
    });
  };
  const end = (signal) =>
    new Promise((resolve) => {
      if (child.exitCode !== null || child.signalCode !== null) return resolve();
      child.once("exit", resolve);
      child.kill(signal);
    });
  await start();
  const token = readFileSync(path.join(folder, "data", "admin_token"), "utf8").trim();
  const socket = readFileSync(path.join(folder, "data", "postgres", "data", "postmaster.pid"), "utf8").split("\n")[4];
  return {
    origin,
    port,
    database: `postgresql://postrider@/postrider?host=${socket}`,
    /** Lines of a query, with their columns apart by "|". */
    sql: async (text) => (await run("psql", ["-XAtq", "-v", "ON_ERROR_STOP=1", "-c", text, `host=${socket} user=postrider dbname=postrider`], { maxBuffer: 1 << 26 })).stdout.trim(),
    /** As the owner's program. Returns status and body. */
    api: async (method, address, body, headers = {}) => {
      const answer = await fetch(origin + address, {
        method,
        headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json", ...headers },
        ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
      });
      const text = await answer.text();
      if (!answer.ok) throw new Error(`${method} ${address}: ${answer.status} ${text}`);
      return text ? JSON.parse(text) : null;
    },
    /** The program as a command of its own. */
    command: async (...words) => (await run(program, words, { cwd: folder, env })).stdout,
    /** As a crash ends it. */
    kill: () => end("SIGKILL"),
    start,
    stop: async () => {
      await end("SIGTERM");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
