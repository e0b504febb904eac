import { afterEach, describe, expect, it, vi } from "vitest";

import { absenceWords, endedBy } from "../../src/demo/absence";
import { withCalls } from "../../src/demo/calls";
import { kill } from "../../src/demo/queries";
import { places, placesOf } from "../../src/routes";

const at = (second: number, role: "user" | "assistant" | "tool") => ({ id: `${role} ${second}`, role, content: "", origin: "person" as const, created_at: `2026-11-30T10:00:0${second}Z` });
const orderOf = (messages: readonly { id: string }[]) => messages.map(({ id }) => id);

afterEach(() => void vi.unstubAllGlobals());

describe("the key of a place", () => {
  it("is its own, and not the g that comes before it", () => {
    const keys = places.flatMap(({ shortcut = [] }) => shortcut);
    expect(new Set(keys).size).toBe(keys.length);
    expect(keys).not.toContain("g");
  });
});

describe("the simulated Telegram", () => {
  it("has the calls of tools before the message that they led to", () => {
    const messages = [at(1, "user"), at(3, "assistant"), at(4, "user"), at(6, "assistant")];
    const calls = [at(2, "tool"), at(5, "tool"), at(7, "tool")];
    expect(orderOf(withCalls(messages, calls))).toEqual(["user 1", "tool 2", "assistant 3", "user 4", "tool 5", "assistant 6", "tool 7"]);
    expect(withCalls([], [])).toEqual([]);
  });

  it("takes a kill without an answer for done, and a refusal for none", async () => {
    vi.stubGlobal("fetch", () => Promise.reject(new TypeError("connection reset")));
    await expect(kill()).resolves.toBeUndefined();
    vi.stubGlobal("fetch", () => Promise.resolve(new Response(JSON.stringify({ code: "forbidden", detail: "no" }), { status: 403 })));
    await expect(kill()).rejects.toThrow("no");
  });

  it("is in the menu in demo mode alone", () => {
    const me = { role: "owner", demo: true } as Parameters<typeof placesOf>[0];
    const paths = (demo: boolean) => placesOf({ ...me, demo } as typeof me).map(({ path }) => path);
    expect(paths(true)).toContain("/demo");
    expect(paths(false)).not.toContain("/demo");
  });
});

describe("the absence of a killed server", () => {
  const stream = (live: boolean, at: number) => ({ live, since: new Date(at) });

  it("lasts until the first connection after the kill", () => {
    const killed = { killedAt: 10_000 };
    expect(absenceWords(killed, stream(true, 5_000))).toBe("");
    expect(endedBy(killed, stream(true, 5_000))).toBe(killed);
    expect(absenceWords(endedBy(killed, stream(false, 10_100)), stream(false, 10_100))).toMatch(/is away/);
    const back = endedBy(killed, stream(true, 12_500));
    for (const later of [stream(true, 12_500), stream(false, 600_000), stream(true, 700_000)]) expect(absenceWords(endedBy(back, later), later)).toBe("The server was away for 2.5 s.");
  });
});
