// Small pieces of operations: what is sent for what a person typed.
import { afterEach, describe, expect, it, vi } from "vitest";

import { integerOf, printJson } from "../../src/api/json";
import { admissionOf } from "../../src/bots/admission";
import { say as sayInChat } from "../../src/chat/queries";
import { say as sayInDemo } from "../../src/demo/queries";
import { deleteFlow, operateFlow, restoreVersion, runFlow } from "../../src/flows/operate";
import { readFlow } from "../../src/flows/queries";
import { startOf } from "../../src/flows/run";
import { eventOf } from "../../src/lanes/send-event";

afterEach(() => void vi.unstubAllGlobals());

describe("an id that a person typed", () => {
  it("keeps all its digits", () => {
    expect(integerOf("4242")).toBe(4242);
    expect(integerOf("9007199254740993")).toBe(9007199254740993n);
    expect(printJson({ user_id: integerOf("-9007199254740993") })).toBe('{"user_id":-9007199254740993}');
  });
});

describe("an event for a lane, and the start of a flow", () => {
  it("have what was typed, and nothing else", () => {
    expect(eventOf(" reply ", "", "")).toEqual({ type: "reply" });
    expect(eventOf("reply", "q1", '{"a": 1}')).toEqual({ type: "reply", match: "q1", payload: { a: 1 } });
    expect(startOf("draft", "", "null")).toEqual({ version: "draft", data: null });
    expect(startOf("published", "t1", "")).toEqual({ version: "published", trigger: "t1" });
    expect(() => eventOf("reply", "", "{")).toThrow(/payload is not JSON/);
    expect(() => startOf("draft", "", "{")).toThrow(/data is not JSON/);
  });
});

describe("an operation of a flow", () => {
  it("names the draft that the person saw", async () => {
    const seen: (string | undefined)[] = [];
    vi.stubGlobal("fetch", async (_address: string, { headers }: { headers: Record<string, string> }) => {
      seen.push(headers["If-Match"]);
      return new Response('{"name": "report"}', { headers: { ETag: 'W/"3-7"' } });
    });
    const flow = await readFlow("report");
    for (const act of [operateFlow(flow, "publish"), operateFlow(flow, "archive"), restoreVersion(flow, "2"), deleteFlow(flow)]) await act;
    expect(seen).toEqual([undefined, '"3-7"', '"3-7"', '"3-7"', '"3-7"']);
  });
});

describe("what starts something", () => {
  it("has the key of the person's intention", async () => {
    const keys: (string | undefined)[] = [];
    vi.stubGlobal("fetch", async (_address: string, { headers }: { headers: Record<string, string> }) => {
      keys.push(headers["Idempotency-Key"]);
      return new Response('{"job_id": 7}');
    });
    await runFlow("report", { version: "draft" }, "k1");
    await sayInDemo("hello", "k2");
    await sayInChat("c", "hello", "k3");
    expect(keys).toEqual(["k1", "k2", "k3"]);
  });
});

describe("letting a stranger in", () => {
  const stranger = (setting: string, id: number) => ({ bot: "main", admitted_by: { setting, id } });
  const users = { key: "bots.main.allowed_users", value: "1000, 7", source: "POSTRIDER_ALLOWED_USERS", source_kind: "environment" as const, environment: null };

  it("adds the id where the setting comes from", () => {
    const refused = stranger("bots.main.allowed_users", 4242);
    expect(admissionOf(refused, [users])).toEqual({ isIn: false, where: "the environment of the server, where POSTRIDER_ALLOWED_USERS is set", line: "POSTRIDER_ALLOWED_USERS=1000,7,4242" });
    const inFile = { ...users, source: "postrider.toml:12", source_kind: "file" as const };
    expect(admissionOf(refused, [inFile])).toMatchObject({ where: expect.stringContaining("postrider.toml:12"), line: "allowed_users = [1000, 7, 4242]" });
    expect(admissionOf(refused, [])).toMatchObject({ where: "postrider.toml, below [bots.main]", line: "allowed_users = [4242]" });
  });

  it("knows who is let in already, and groups", () => {
    expect(admissionOf(stranger("bots.main.allowed_users", 7), [users])).toMatchObject({ isIn: true, line: "POSTRIDER_ALLOWED_USERS=1000,7" });
    expect(admissionOf(stranger("bots.main.allowed_users", 100), [users]).isIn).toBe(false);
    expect(admissionOf(stranger("bots.main.allowed_chats", -100), []).line).toBe("allowed_chats = [-100]");
  });
});
