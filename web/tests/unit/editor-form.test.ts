import { describe, expect, it } from "vitest";

import { kindOf, type ParameterSchema, splitOf, titleOf, tokensAbout } from "../../src/editor/panel/schema";
import { marksOf, placedIn, pointerOf, problemsAt } from "../../src/editor/problems/placed";
import { startOf } from "../../src/editor/run/run-dialog";

describe("a field", () => {
  it.each<[ParameterSchema, unknown, string]>([
    [{ type: "string" }, undefined, "text"],
    [{ type: "string", "x-reference": "model" }, "default", "reference"],
    [{ type: "string", enum: ["a"] }, "a", "enum"],
    [{ enum: ["GET"] }, undefined, "enum"],
    [{ type: "integer" }, 9007199254740993n, "number"],
    [{ type: "boolean" }, undefined, "boolean"],
    [{ type: "array", items: { type: "string" } }, [], "list"],
    [{ type: "array" }, [], "json"],
    [{ type: "object", properties: { a: {} } }, {}, "object"],
    [{ type: "object" }, { a: "text" }, "map"],
    [{ type: "object" }, { a: 1 }, "json"],
    [{ type: "object", "x-format": "json_schema" }, undefined, "json"],
    [{}, undefined, "any"],
  ])("of %o and %o", (schema, value, kind) => expect(kindOf(schema, value)).toBe(kind));

  it("is called as its schema says, else by its name", () => expect([titleOf("max_tokens", {}), titleOf("max_tokens", { title: "Most" })]).toEqual(["Max tokens", "Most"]));
  it("counts a token for four bytes", () => expect([tokensAbout(""), tokensAbout("abcd"), tokensAbout("äöü")]).toEqual([0, 1, 2]));
});

describe("a form", () => {
  const schema: ParameterSchema = { required: ["a"], properties: { a: {}, b: {}, c: {}, d: { "x-multiline": true }, e: {}, f: {} } };
  it("shows what is required, written or long first", () => expect(splitOf(schema, { c: 1 })).toEqual({ first: ["a", "c", "d"], more: ["b", "e", "f"] }));
  it("shows those of which one is required", () => expect(splitOf({ ...schema, oneOf: [{ required: ["e"] }, { required: ["f"] }] }, {}).first).toEqual(["a", "d", "e", "f"]));
  it("hides nothing of a few", () => expect(splitOf({ properties: { a: {}, b: {} } }, {}).more).toEqual([]));
});

describe("problems", () => {
  const document = { name: "f", nodes: [{ id: "a", name: "A", type: "set" }, { id: "b", name: "B", type: "set" }], connections: [{ from: "a", to: "b" }] };
  const problem = (path: string, severity: "error" | "warning" = "error", more: object = {}) => ({ code: "c", severity, path, message: `at ${path}`, ...more });
  const placed = placedIn(document, [problem("/nodes/1/parameters/rules/0/name"), problem("/nodes/1", "warning"), problem("/connections/0", "warning"), problem("/settings/lane"), problem("/nodes", "error", { node: "A" })]);
  it("stand at their nodes and fields", () =>
    expect(placed.map(({ id, field }) => [id, field])).toEqual([["b", "/parameters/rules/0/name"], ["b", ""], ["b", ""], [undefined, "/settings/lane"], ["a", "/nodes"]]));
  it("mark a node by the worst of its own", () => expect([...marksOf(placed)].map(([id, { tone }]) => [id, tone])).toEqual([["b", "bad"], ["a", "bad"]]));
  it("are found at a field, or within it", () => {
    expect(problemsAt(placed, "/parameters/rules").length).toBe(1);
    expect(problemsAt(placed, "/parameters/rules", false).length).toBe(0);
    expect(pointerOf(["parameters", "a/b", 0])).toBe("/parameters/a~1b/0");
  });
});

describe("the start of a run", () => {
  it.each([
    [startOf("all", { trigger: "t", node: "n", text: "" }), { version: "draft", trigger: "t" }],
    [startOf("from", { trigger: "t", node: "n", text: '{"a": 1}' }), { version: "draft", trigger: "t", start: "n", data: { a: 1 } }],
    [startOf("only", { trigger: "", node: "n", text: "" }), { version: "draft", start: "n", only: true }],
  ])("%o", (start, expected) => expect(start).toEqual(expected));
  it("has data that is JSON", () => expect(() => startOf("all", { trigger: "", node: undefined, text: "{" })).toThrow("The data is not JSON"));
});
