import { describe, expect, it } from "vitest";

import { forgetAll } from "../../src/conversations/forget";
import { calledTools, type Job, type LaneMessage, mediaOf, speakerOf, turnsOf } from "../../src/conversations/turns";

const message = (id: string, job_id: number, created_at = "2026-11-30T06:00:00.000000Z") => ({ id, job_id, created_at }) as LaneMessage;
const job = (job_id: number) => ({ job_id }) as Job;
const line = (role: LaneMessage["role"], more: object) => ({ role, origin: "person", author: null, tool: null, ...more }) as LaneMessage;

describe("turns of a lane", () => {
  it("come newest first, and what was said in each oldest first", () => {
    const turns = turnsOf([message("d", 9), message("c", 9), message("b", 4), message("a", 4)], [], true);
    expect(turns.map(({ job, messages }) => [job, messages.map(({ id }) => id)])).toEqual([[9, ["c", "d"]], [4, ["a", "b"]]]);
  });

  it("have a question before the result that its answer allowed", () => {
    const second = (at: number) => `2026-11-30T06:00:0${at}.000000Z`;
    const [turn] = turnsOf([message("question", 4, second(2)), message("result", 4, second(3)), message("call", 4, second(1)), message("words", 4, second(1))], [], true);
    expect(turn?.messages.map(({ id }) => id)).toEqual(["words", "call", "question", "result"]);
  });

  it("have the row of their job", () => {
    expect(turnsOf([message("a", 4)], [job(4)], true)[0]?.row).toEqual(job(4));
  });

  it("are there before anything is said", () => {
    expect(turnsOf([message("a", 4)], [job(9), job(4)], true).map(({ job }) => job)).toEqual([9, 4]);
  });

  it("leave out jobs older than the messages that were read", () => {
    const jobs = [job(4), job(3)];
    expect(turnsOf([message("a", 4)], jobs, false).map(({ job }) => job)).toEqual([4]);
    expect(turnsOf([message("a", 4)], jobs, true).map(({ job }) => job)).toEqual([4, 3]);
  });

  it("say who spoke", () => {
    expect(speakerOf(line("user", { author: { id: 7, name: "Ann" } }))).toBe("Ann");
    expect(speakerOf(line("user", { author: { id: 7 } }))).toBe("user 7");
    expect(speakerOf(line("user", { author: { chat_id: -5 } }))).toBe("chat -5");
    expect(speakerOf(line("user", {}))).toBe("person");
    expect(speakerOf(line("tool", { tool: "calculator" }))).toBe("calculator");
    expect(speakerOf(line("assistant", { origin: "engine" }))).toBe("postrider");
  });

  it("say what came with their words", () => {
    expect(mediaOf(line("user", { author: { id: 7, media: "video_note" } }))).toBe("video note");
    expect(mediaOf(line("assistant", { origin: "node", author: { media: "photo" } }))).toBe("photo");
    expect(mediaOf(line("user", {}))).toBeUndefined();
  });

  it("name the tools that were called", () => {
    expect(calledTools({ calls: [{ id: "1", name: "calculator" }, {}] })).toEqual(["calculator", "a tool"]);
    expect(calledTools({ calls: null })).toEqual([]);
  });
});

describe("what was said in a lane", () => {
  it("is forgotten piece by piece, until there is no more", async () => {
    const states = ["forgetting", "forgetting", "idle", "forgetting"];
    await forgetAll(async () => ({ state: states.shift()! }));
    expect(states).toEqual(["forgetting"]);
  });
});
