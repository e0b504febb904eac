import { describe, expect, it } from "vitest";

import type { Schema } from "../../src/api/client";
import { entryWords, modelChoices, modelWords } from "../../src/editor/panel/models";

const model = (name: string, more: Partial<Schema["Model"]> = {}): Schema["Model"] => ({ name, provider: "openai", tools: null, vision: null, context: null, output: null, price: null, entries: [], ...more });
const mini = model("gpt-4o-mini", { tools: true, vision: true, context: 128_000, price: { input: 15, cached: 7.5, output: 60 }, entries: ["default", "cheap"] });
const words = model("o1-Words", { tools: false, vision: false });

// covers: S3.21
describe("a model in a picker", () => {
  it("says whether it takes tools and images, its context and its price", () => {
    expect(modelWords(mini)).toBe("tools · vision · 128K context · $0.150 in, $0.600 out for a million tokens");
    expect(modelWords(words)).toBe("no tools · no vision");
    expect(modelWords(model("unheard-of"))).toBe("");
  });
  it("is found by the entry that asks it", () => {
    expect(entryWords([words, mini], "cheap")).toMatch(/^gpt-4o-mini · tools · vision/);
    expect(entryWords([words, mini], "other")).toBe("");
  });
  it("is one of the provider's own list", () => {
    const models = [mini, words, model("claude", { provider: "anthropic" })];
    expect(modelChoices(models, "openai", "").map(({ name }) => name)).toEqual(["gpt-4o-mini", "o1-Words"]);
    expect(modelChoices(models, "openai", " O1-w").map(({ about }) => about)).toEqual(["no tools · no vision"]);
  });
});
