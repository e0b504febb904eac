import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import type { StreamEvent } from "../../src/api/events";
import { unreachable } from "../../src/api/problem";
import { newKey, outgoing, restOf } from "../../src/chat/outgoing";
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
    expect(told).toEqual([]);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(told).toEqual([{ history: { messages: [] } }]);
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
    expect(newKey()).toMatch(/^[0-9a-f]{32}$/);
    expect(newKey()).not.toBe(newKey());
  });

  it("is the same for a repeat, and another for another text", () => {
    const first = outgoing(undefined, "a");
    expect(outgoing(first, "a")).toBe(first);
    expect(outgoing(first, "b").key).not.toBe(first.key);
  });

  it("leaves what was typed while it was sent", () => {
    expect([restOf("hello ", "hello"), restOf("hello you", "hello")]).toEqual(["", "hello you"]);
  });
});
