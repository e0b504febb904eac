import { afterEach, describe, expect, it, vi } from "vitest";

import { patch, post } from "../../src/api/client";
import { makeUploads, type Upload } from "../../src/knowledge/uploads";
import { accessWords, headOf, metadataOf, metadataParameter, placeWords, refusalOfFile, scoreText, sizeText, stateOf, valueText, vectorWords, wordsAlone } from "../../src/knowledge/words";

afterEach(() => vi.unstubAllGlobals());

describe("a document in words", () => {
  it("has a size", () => {
    expect([0, 1023, 1024, 10_240, 1_500_000, 3 * 1024 ** 3].map(sizeText)).toEqual(["0 bytes", "1023 bytes", "1.0 KiB", "10 KiB", "1.4 MiB", "3.0 GiB"]);
  });

  it("says how far it is while a job is at work on it", () => {
    expect(stateOf({ state: "reading", parts: 0, parts_done: 0 })).toEqual({ name: "running", words: "reading" });
    expect(stateOf({ state: "reading", parts: 120, parts_done: 40 }).words).toBe("reading, 40 of 120 parts");
    expect(stateOf({ state: "ready", parts: 120, parts_done: 120 })).toEqual({ name: "ready", words: "ready" });
    expect(stateOf({ state: "failed", parts: 0, parts_done: 0 }).name).toBe("failed");
  });

  it("says how many of its parts have a vector", () => {
    expect(vectorWords({ parts: 120, embedded: 40 })).toBe("40 of 120 parts");
    expect(vectorWords({ parts: 120, embedded: 0 })).toBeUndefined();
  });

  it("says where a part is", () => {
    expect(placeWords({ page: 3, heading: "Setup > Network" })).toBe("page 3 · Setup > Network");
    expect(placeWords({ page: null, heading: "" })).toBe("");
  });

  it("is cut between characters, and says so", () => {
    expect(headOf({ text: "🦔🦔🦔" }, 2)).toEqual({ head: "🦔🦔…", isCut: true });
    expect(headOf({ text: "🦔🦔" }, 2)).toEqual({ head: "🦔🦔", isCut: false });
  });
});

describe("a file", () => {
  it("is refused before it is sent where the server would not take it", async () => {
    expect(refusalOfFile({ size: 32 * 1024 ** 2 })).toBeUndefined();
    expect(refusalOfFile({ size: 40 * 1024 ** 2 })).toBe("The file has 40 MiB. 32 MiB is the most: split it.");
    const asked = vi.fn();
    vi.stubGlobal("fetch", asked);
    const uploads = makeUploads(vi.fn());
    await uploads.add("help", [{ name: "a", file: new Blob([]) }], undefined);
    expect(uploads.all()[0]).toMatchObject({ state: "failed", why: "The file is empty." });
    expect(asked).not.toHaveBeenCalled();
  });
});

describe("a collection in words", () => {
  it("says who searches it", () => {
    expect(accessWords({ people: "allowed" })).toBe("every flow, all allowed people");
    expect(accessWords({ flows: ["assistant", "help"], people: "owners" })).toBe("assistant, help, owners only");
    expect(accessWords({ flows: [], people: "allowed" })).toMatch(/^no flow/);
  });
});

describe("a search", () => {
  it("says when words alone were searched, and why", () => {
    expect(wordsAlone(true, { parts: 5, embedded: 5 })).toMatch(/did not answer.*words alone/);
    expect(wordsAlone(undefined, { parts: 5, embedded: 0 })).toMatch(/no part of this collection has one/);
    expect(wordsAlone(undefined, { parts: 5, embedded: 4 })).toMatch(/^1 part of this collection has no vector yet/);
    expect(wordsAlone(undefined, { parts: 5, embedded: 5 })).toBeUndefined();
    expect(wordsAlone(undefined, { parts: 0, embedded: 0 })).toBeUndefined();
  });

  it("shows a score with three digits that count", () => {
    expect([0.73649, 1, 0.0163934].map(scoreText)).toEqual(["0.736", "1", "0.0164"]);
  });
});

describe("metadata", () => {
  it("is written in lines, and has types", () => {
    expect(metadataOf("year: 2026\n\n product : Router: X2 \ndraft: false\nid: \"007\"")).toEqual({ year: 2026, product: "Router: X2", draft: false, id: "007" });
    expect(metadataParameter(metadataOf("\n"))).toBeUndefined();
    expect(metadataParameter(metadataOf("__proto__: 1"))).toBe('{"__proto__":1}');
    expect([2026, "Router", ["a"]].map(valueText)).toEqual(["2026", "Router", '["a"]']);
  });

  it("says which line is wrong", () => {
    expect(() => metadataOf("year: 2026\nyear")).toThrow("Line 2 is not of the form name: value.");
    expect(() => metadataOf("year:")).toThrow("Line 1");
    expect(() => metadataOf("year: 1\nyear: 2")).toThrow("Line 2 repeats year.");
  });
});

const file = (name: string) => ({ name, file: new Blob(["x"]) });
const states = (uploads: { all: () => readonly Upload[] }) => uploads.all().map(({ name, state }) => `${name} ${state}`);

describe("files that are sent", () => {
  it("go one after the other, and none stops those behind it", async () => {
    const sent: string[] = [];
    let atOnce = 0;
    const uploads = makeUploads(vi.fn(), async ({ name }) => {
      atOnce += 1;
      expect(atOnce).toBe(1);
      await Promise.resolve();
      atOnce -= 1;
      sent.push(name);
      if (name === "b") throw new Error("it is too large");
      return { id: 7, unchanged: name === "c" };
    });
    await Promise.all([uploads.add("help", [file("a"), file("b")], undefined), uploads.add("help", [file("c")], undefined)]);
    await vi.waitFor(() => expect(states(uploads)).toEqual(["a added", "b failed", "c unchanged"]));
    expect(uploads.all()[1]?.why).toBe("it is too large");
    expect(sent).toEqual(["a", "b", "c"]);
  });

  it("that failed are sent again, of this collection alone", async () => {
    let works = false;
    const again = vi.fn();
    const uploads = makeUploads(again, async () => {
      if (!works) throw new Error("the server does not answer");
      return { id: 7 };
    });
    await uploads.add("help", [file("a")], undefined);
    await uploads.add("news", [file("b")], undefined);
    works = true;
    await uploads.retry("help");
    expect(states(uploads)).toEqual(["a added", "b failed"]);
    expect(again).toHaveBeenCalledTimes(3);
    uploads.clear("help");
    expect(states(uploads)).toEqual(["b failed"]);
  });

  it("are sent as they are, under their names", async () => {
    const asked: { address: string; init: RequestInit }[] = [];
    vi.stubGlobal("fetch", (address: string, init: RequestInit) => {
      asked.push({ address, init });
      return Promise.resolve(new Response('{"id": 7, "unchanged": true}', { status: 200 }));
    });
    const uploads = makeUploads(vi.fn());
    const content = new Blob(["{}"], { type: "application/json" });
    await uploads.add("help", [{ name: "a b.json", file: content }], '{"year":2026}');
    expect(asked[0]?.address).toBe("/api/v1/collections/help/documents?name=a+b.json&metadata=%7B%22year%22%3A2026%7D");
    expect(asked[0]?.init).toMatchObject({ method: "POST", body: content, headers: { "Content-Type": "application/json" } });
    expect(uploads.all()[0]).toMatchObject({ state: "unchanged", document: 7 });
  });
});

it("sends bytes of no named type as such, and changes as JSON", async () => {
  const types: unknown[] = [];
  vi.stubGlobal("fetch", (_address: string, { headers, method }: RequestInit) => {
    types.push([method, (headers as Record<string, string>)["Content-Type"]]);
    return Promise.resolve(new Response("{}", { status: 200 }));
  });
  await post("/api/v1/collections/{name}/documents", new Blob(["x"]), { params: { name: "help" } });
  await patch("/api/v1/collections/{name}", { description: "x" }, { params: { name: "help" } });
  expect(types).toEqual([["POST", "application/octet-stream"], ["PATCH", "application/json"]]);
});
