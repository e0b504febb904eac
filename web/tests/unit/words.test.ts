import { describe, expect, it } from "vitest";

import { sentence, titleOf } from "../../src/api/words";

describe("words of the server", () => {
  it("become titles", () => {
    expect(titleOf("not_reached")).toBe("Not reached");
    expect(titleOf("")).toBe("");
  });
  it("become sentences, whose end is kept", () => {
    expect(sentence("it runs: its worker ends it")).toBe("It runs: its worker ends it.");
    expect(sentence("Sure?")).toBe("Sure?");
    expect([sentence(""), sentence(null), sentence(undefined)]).toEqual([undefined, undefined, undefined]);
  });
});
