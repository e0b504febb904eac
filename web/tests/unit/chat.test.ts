import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import type { StreamEvent } from "../../src/api/events";
import { unreachable } from "../../src/api/problem";
import { intentionOf, newKey } from "../../src/api/intention";
import { lengthOf } from "../../src/chat/length";
import { restOf } from "../../src/chat/outgoing";
import { readMessages } from "../../src/chat/queries";
import { follow, WITHOUT_STREAM_MS } from "../../src/chat/use-chat";

const topic = "conversation:ab";

function tabStream() {
  let listener: (event: StreamEvent) => void = () => undefined;
  const needs: string[] = [];
  const need = (name: string) => (needs.push(name), () => void needs.splice(needs.indexOf(name), 1));
  const listen = (own: (event: StreamEvent) => void) => ((listener = own), () => void (listener = () => undefined));
  return { needs, need, listen, push: (event: StreamEvent) => listener(event) };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe("a chat over the tab's stream", () => {
  it("needs its topic while it is shown, and reads the history when the stream has begun", async () => {
    const tab = tabStream();
    const told: unknown[] = [];
    const read = vi.fn(() => Promise.resolve({ messages: [] }));
    const end = follow(topic, (next) => told.push(next), tab, read);
    expect(tab.needs).toEqual([topic]);
    expect(read).not.toHaveBeenCalled();
    tab.push({ type: "watching", data: { topics: [topic] }, fresh: [topic] });
    tab.push({ type: "words", data: { topic: "conversation:other", text: "x" } });
    tab.push({ type: "words", data: { topic, text: "4" } });
    await vi.advanceTimersByTimeAsync(0);
    expect(told).toEqual([{ fresh: true }, { event: { type: "words", data: { topic, text: "4" } } }, { history: { messages: [] } }]);
    tab.push({ type: "watching", data: { topics: [topic] }, fresh: [] });
    expect(told.at(-1)).toEqual({ fresh: false });
    end();
    expect(tab.needs).toEqual([]);
  });

  it("reads the history without a stream too, and again after a failure", async () => {
    const tab = tabStream();
    const told: unknown[] = [];
    const read = vi.fn(() => Promise.resolve({ messages: [] })).mockRejectedValueOnce(unreachable());
    const end = follow(topic, (next) => told.push(next), tab, read);
    await vi.advanceTimersByTimeAsync(WITHOUT_STREAM_MS);
    expect(told).toEqual([{ trouble: "The server does not answer. It is asked again." }]);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(told.slice(1)).toEqual([{ history: { messages: [] } }]);
    end();
  });
});

describe("the history of a chat", () => {
  it("is read from its end, and further back by the place that the server gave", async () => {
    const asked: string[] = [];
    const page = (messages: object[], next?: string) => new Response(JSON.stringify({ messages, ...(next ? { next } : {}) }));
    const pages = [page([{ id: "c" }, { id: "b" }], "7-2"), page([{ id: "a" }])];
    vi.stubGlobal("fetch", (address: string) => (asked.push(address), Promise.resolve(pages.shift())));
    const newest = await readMessages("AB");
    const before = await readMessages("AB", undefined, newest.older);
    expect(newest).toEqual({ messages: [{ id: "b" }, { id: "c" }], older: "7-2" });
    expect(before).toEqual({ messages: [{ id: "a" }] });
    expect(asked).toEqual(["/api/v1/conversations/AB/messages?order=desc&limit=100", "/api/v1/conversations/AB/messages?order=desc&limit=100&cursor=7-2"]);
  });
});

describe("the key of a message", () => {
  it("is made where randomUUID is absent", () => {
    const { getRandomValues } = crypto;
    vi.stubGlobal("crypto", { getRandomValues: getRandomValues.bind(crypto) });
    expect(newKey()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(newKey()).not.toBe(newKey());
  });

  it("is the same for a repeat, and another for another text or picture", () => {
    const [picture, other] = [{}, {}];
    const first = intentionOf(undefined, ["a", picture]);
    expect(intentionOf(first, ["a", picture])).toBe(first);
    expect(intentionOf(first, ["b", picture]).key).not.toBe(first.key);
    expect(intentionOf(first, ["a", other]).key).not.toBe(first.key);
  });

  it("leaves what was typed while it was sent", () => {
    expect([restOf("hello ", "hello"), restOf("hello you", "hello")]).toEqual(["", "hello you"]);
  });
});

describe("the length of a message", () => {
  it("is said before it is too long", () => {
    expect(lengthOf("hello", 4096)).toEqual({ words: "At most 4,096 characters.", isTooLong: false });
    expect(lengthOf("x".repeat(4096), 4096)).toEqual({ words: "4,096 of 4,096 characters.", isTooLong: false });
    expect(lengthOf("x".repeat(4100), 4096)).toEqual({ words: "4,100 of 4,096 characters: 4 too many.", isTooLong: true });
  });
});
