import { describe, expect, it } from "vitest";

import type { History } from "../../src/chat/queries";
import { emptyChat, withEvent, withHistory, withOlder, withStream } from "../../src/chat/turn";
import { change } from "../../src/chat/use-chat";
import { leapOf } from "../../src/chat/use-end";

const after = (...events: [string, unknown][]) => events.reduce((chat, [type, data], index) => withEvent(chat, type, data, index), emptyChat);
const reply = { id: "m2", role: "assistant", origin: "agent", content: "42", created_at: "" };

const historyOf = (messages: object[], older?: string) => ({ messages, ...(older ? { older } : {}) }) as History;
const said = (id: string, second: number) => ({ ...reply, id, created_at: `2026-11-30T10:00:0${second}Z` });
const idsOf = ({ messages }: { messages: readonly { id: string }[] }) => messages.map(({ id }) => id).join("");

describe("a chat that nobody has read yet", () => {
  it("is not empty: it says so only once its history was read", () => {
    expect(emptyChat.isRead).toBeUndefined();
    const failed = change(emptyChat, { trouble: "The server does not answer." });
    expect([failed.isRead, failed.trouble]).toEqual([undefined, "The server does not answer."]);
    const read = change(failed, { history: { messages: [] } });
    expect([read.isRead, read.trouble]).toEqual([true, undefined]);
  });
});

describe("a chat that is read from its end", () => {
  const newest = withHistory(emptyChat, historyOf([said("c", 3), said("d", 4)], "2-0"));

  it("has older messages in front, until there are no more", () => {
    expect([idsOf(newest), newest.older]).toEqual(["cd", "2-0"]);
    const more = withOlder(newest, historyOf([said("b", 2), said("c", 3)], "1-0"));
    expect([idsOf(more), more.older]).toEqual(["bcd", "1-0"]);
    const all = withOlder(more, historyOf([said("a", 1)]));
    expect([idsOf(all), all.older]).toEqual(["abcd", undefined]);
  });

  it("keeps what was read before when its end is read again, and reads on from there", () => {
    const all = withOlder(newest, historyOf([said("b", 2)], "1-0"));
    const again = withHistory(withStream(all, false), historyOf([said("c", 3), said("d", 4), said("e", 5)], "2-0"));
    expect([idsOf(again), again.older]).toEqual(["bcde", "1-0"]);
    const far = withHistory(all, historyOf([said("x", 8), said("y", 9)], "7-0"));
    expect([idsOf(far), far.older]).toEqual(["xy", "7-0"]);
  });

  it("does not take an old message that changed for a new one", () => {
    const changed = withEvent(newest, "message", said("a", 1), 0);
    expect(idsOf(changed)).toBe("cd");
    const early = withHistory(withEvent(emptyChat, "message", said("a", 1), 0), historyOf([said("c", 3)], "2-0"));
    expect(idsOf(early)).toBe("c");
    expect(idsOf(withEvent(newest, "message", said("e", 5), 0))).toBe("cde");
  });
});

describe("a chat from its events", () => {
  it("shows words as they come, and the message instead of them", () => {
    const begun: [string, unknown][] = [["turn", { job_id: 1, state: "running" }], ["step", { job_id: 1, doing: "thinking" }], ["words", { text: "4" }], ["words", { text: "2" }]];
    expect(after(...begun).words).toBe("42");
    const over = after(...begun, ["message", reply], ["done", { job_id: 1 }]);
    expect(over.words).toBe("");
    expect(over.messages).toEqual([reply]);
    expect(over.turn).toBeUndefined();
  });

  it("keeps how the last turn ended until the next begins", () => {
    const begun: [string, unknown] = ["turn", { job_id: 1, state: "running" }];
    expect(after(begun, ["done", { job_id: 1 }])).toMatchObject({ ended: { job: 1, state: "completed" } });
    expect(after(begun, ["cancelled", {}])).toMatchObject({ ended: { job: 1, state: "cancelled" } });
    expect(after(begun, ["failed", { job_id: 1 }], ["turn", { job_id: 2, state: "running" }]).ended).toBeUndefined();
  });

  it("discards words that a step makes void", () => {
    expect(after(["words", { text: "I shall" }], ["step", { tool: "calculator" }])).toMatchObject({ words: "", steps: [{ text: "calls calculator" }] });
  });

  it("replaces a message that changed", () => {
    const chat = after(["message", reply], ["message", { ...reply, content: "43" }]);
    expect(chat.messages.map(({ content }) => content)).toEqual(["43"]);
  });

  it("says why a turn failed, until the next begins", () => {
    const failed = after(["turn", { job_id: 1, state: "running" }], ["failed", { job_id: 1, detail: "no model" }]);
    expect(failed.failure).toBe("no model");
    expect(withEvent(failed, "turn", { job_id: 2, state: "running" }, 9).failure).toBeUndefined();
  });

  it("shows of an earlier stream only what the history has", () => {
    const other = { ...reply, id: "m1" };
    const before = after(["message", other], ["message", reply], ["words", { text: "half" }]);
    const again = withStream(before, false);
    expect(again).toMatchObject({ words: "", messages: [other, reply] });
    expect(withHistory(again, historyOf([reply])).messages).toEqual([reply]);
  });

  it("takes what its stream told of for newer than the history", () => {
    const later = { ...reply, id: "m3" };
    const chat = after(["message", { ...reply, content: "43" }], ["message", later], ["message_removed", { id: "m1" }]);
    const { messages } = withHistory(chat, historyOf([{ ...reply, id: "m1" }, reply]));
    expect(messages.map(({ id, content }) => `${id} ${content}`)).toEqual(["m2 43", "m3 42"]);
  });

  it("forgets the turn where the stream does not continue", () => {
    const begun = after(["turn", { job_id: 1, state: "running" }], ["step", { tool: "calculator" }]);
    expect(withStream(begun, true)).toMatchObject({ steps: [] });
    expect(withStream(begun, true).turn).toBeUndefined();
    expect(withStream(begun, false).turn).toEqual({ job: 1, state: "running" });
  });
});

describe("the place in a chat", () => {
  const before = { first: "a", last: "m", height: 900 };

  it("is its end, while that is in sight and for an own message", () => {
    expect(leapOf(before, { ...before, last: "n", height: 950, isOwn: false }, true)).toBe("end");
    expect(leapOf(before, { ...before, last: "n", height: 950, isOwn: true }, false)).toBe("end");
  });

  it("stays for who reads further up, also when older messages come", () => {
    expect(leapOf(before, { ...before, last: "n", height: 950, isOwn: false }, false)).toBe(0);
    expect(leapOf(before, { ...before, first: "0", height: 1_400, isOwn: true }, false)).toBe(500);
  });
});
