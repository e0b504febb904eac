import { afterEach, describe, expect, it, vi } from "vitest";

import { isOfMembers, mistakesOf, problemOf, reasonsOf } from "../../src/api/problem";
import { bodyOf, draftOf, emptyDraft, inputOfFlow, Mistake, type Schedule, wallClock, workOf } from "../../src/schedules/definition";
import { choiceOf } from "../../src/schedules/flow-choice";
import { saveSchedule } from "../../src/schedules/form";

const schedule: Schedule = {
  name: "morning", kind: "flow", input: { flow: "report", version: 2 }, lane: "schedule:morning", cron: "0 9 * * *", at: null, timezone: "Europe/Berlin",
  missed: "all", overlap: "skip", time_limit_ms: 60_000, state: "active", error: null, runs: 3, last_at: null, last_job: null, next: [], etag: '"seen"',
};

afterEach(() => void vi.unstubAllGlobals());

describe("a schedule that is saved", () => {
  const savedWith = async (status: number, etag: string | null) => {
    let asked: RequestInit = {};
    vi.stubGlobal("fetch", async (_address: string, init: RequestInit) => ((asked = init), new Response("{}", { status })));
    const outcome = await saveSchedule({ ...emptyDraft("UTC"), name: "morning" }, etag).then(() => "saved", (error: unknown) => (error instanceof Mistake ? error.member : "failed"));
    const headers = new Headers(asked.headers);
    return [outcome, asked.method, headers.get("If-None-Match"), headers.get("If-Match")];
  };

  it("replaces none of its name where it is new", async () => {
    expect(await savedWith(201, null)).toEqual(["saved", "PUT", "*", null]);
    expect(await savedWith(412, null)).toEqual(["name", "PUT", "*", null]);
    expect(await savedWith(503, null)).toEqual(["failed", "PUT", "*", null]);
  });

  it("replaces only what the person saw", async () => {
    expect(await savedWith(200, '"seen"')).toEqual(["saved", "PUT", null, '"seen"']);
    expect(await savedWith(412, '"seen"')).toEqual(["failed", "PUT", null, '"seen"']);
  });
});

describe("the flow of a schedule", () => {
  it("is any that was published, by its name", () => {
    expect(choiceOf({ name: "report", published_version: 3 }, null)).toEqual({ input: inputOfFlow("report", 3) });
    expect(choiceOf({ name: "report", published_version: null }, null)).toEqual({ mistake: "report was never published." });
    expect(choiceOf(undefined, problemOf(404, {}))).toEqual({ mistake: "There is no such flow." });
    expect(choiceOf(undefined, null)).toEqual({});
  });
});

describe("a failure of a form", () => {
  const members = Object.keys(emptyDraft("UTC"));

  it("is shown once: at its fields, or for the whole", () => {
    expect(isOfMembers(problemOf(400, { detail: "cron: no hour", errors: ["cron: no hour"] }), members)).toBe(true);
    expect(isOfMembers(problemOf(400, { detail: "x", errors: ["cron: no hour", "colour: no field"] }), members)).toBe(false);
    expect(isOfMembers(problemOf(503, { detail: "away" }), members)).toBe(false);
  });

  it("says nothing twice", () => {
    expect(reasonsOf(problemOf(400, { detail: "cron: a; at: b", errors: ["cron: a", "at: b"] }))).toEqual({ words: "", mistakes: ["cron: a", "at: b"] });
    expect(reasonsOf(problemOf(400, { detail: "cron: a", errors: ["cron: a"] }))).toEqual({ words: "cron: a", mistakes: [] });
    expect(reasonsOf(problemOf(409, { detail: "the draft has problems", problems: [{ node: "a", message: "no model" }] }))).toEqual({ words: "the draft has problems", mistakes: ["a: no model"] });
    expect(reasonsOf(new Error("no file"))).toEqual({ words: "no file", mistakes: [] });
  });
});

describe("the next time in a list", () => {
  it("is that of its own clock", () => {
    expect(wallClock("2026-12-01T09:00:00+01:00")).toBe("2026-12-01 09:00");
    expect(wallClock("2026-12-01T09:00:30Z")).toBe("2026-12-01 09:00:30");
  });
});

describe("a schedule in a form", () => {
  it("is saved as it was where nothing is changed", () => {
    expect(bodyOf(draftOf(schedule))).toEqual({ kind: "flow", cron: "0 9 * * *", timezone: "Europe/Berlin", input: { flow: "report", version: 2 }, missed: "all", overlap: "skip" });
    const once = { ...schedule, cron: null, at: "2036-01-01T08:00:00Z", lane: "1:5:0", input: null };
    expect(bodyOf(draftOf(once))).toEqual({ kind: "flow", at: "2036-01-01T08:00:00Z", timezone: "Europe/Berlin", lane: "1:5:0", missed: "all", overlap: "skip" });
  });

  it("sends either an expression or a time, and keeps long numbers", () => {
    const draft = { ...emptyDraft("UTC"), at: "in 2h", input: '{"user": 9007199254740993}' };
    expect(bodyOf(draft)).not.toHaveProperty("at");
    expect(bodyOf({ ...draft, by: "at" })).not.toHaveProperty("cron");
    expect(bodyOf({ ...draft, input: inputOfFlow("f", 1) }).input).toEqual({ flow: "f", version: 1 });
    expect(() => bodyOf({ ...draft, input: "{" })).toThrow(Mistake);
  });
});

describe("mistakes of a form", () => {
  it("stand at their members", () => {
    const errors = ["cron: hour (column 3) is 25", "kind is missing", "there is no member lan; did you mean lane?"];
    const mistakes = mistakesOf(problemOf(400, { code: "invalid", detail: "", errors }));
    expect([...mistakes]).toEqual([["cron", "hour (column 3) is 25"], ["kind", "kind is missing"]]);
    expect(mistakesOf(new Error("cron: x")).size).toBe(0);
  });

  it("name the nodes of a flow", () => {
    const problems = [{ code: "x", severity: "error", path: "/nodes/0", node: "Ask", message: "There is no model.", hint: "Add one." }];
    expect(problemOf(422, { code: "invalid_flow", detail: "", problems }).errors).toEqual(["Ask: There is no model. Add one."]);
  });
});

describe("what a schedule starts", () => {
  it("is a flow by its name, or a kind of job", () => {
    expect(workOf({ kind: "flow", input: { flow: "digest", version: 2 } })).toBe("flow digest");
    expect(workOf({ kind: "turn", input: null })).toBe("turn");
    expect(workOf({ kind: "flow", input: "odd" })).toBe("flow");
  });
});
