import { describe, expect, it } from "vitest";

import { type Control, controlOf, kindOf, type ParameterSchema, shownIn, splitOf, titleOf, tokensAbout } from "../../src/editor/panel/schema";
import { marksOf, placedIn, pointerOf, problemsAt } from "../../src/editor/problems/placed";
import { itemsToPin } from "../../src/editor/panel/items-to-pin";
import { pinsOf, startOf } from "../../src/editor/run/start";

describe("a field", () => {
  it.each<[ParameterSchema, unknown, string]>([
    [{ type: "string" }, undefined, "text"],
    [{ type: "string", "x-reference": "model" }, "default", "reference"],
    [{ type: "string", "x-models": "openai" }, "gpt-4o", "model"],
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
    [{}, { a: 1 }, "any"],
    [{ type: "string" }, { a: 1 }, "json"],
    [{ type: "string", enum: ["a"] }, ["a"], "json"],
    [{ type: "string", "x-reference": "model" }, { name: "a" }, "json"],
    [{ type: "integer" }, [1], "json"],
    [{ type: "array", items: {} }, { a: 1 }, "json"],
    [{ type: "object", properties: {} }, [1], "json"],
    [{ type: "string" }, null, "text"],
  ])("of %o and %o", (schema, value, kind) => expect(kindOf(schema, value)).toBe(kind));

  it("is called as its schema says, else by its name", () => expect([titleOf("max_tokens", {}), titleOf("max_tokens", { title: "Most" })]).toEqual(["Max tokens", "Most"]));
  it("counts a token for four bytes", () => expect([tokensAbout(""), tokensAbout("abcd"), tokensAbout("äöü")]).toEqual([0, 1, 2]));
});

describe("what is being typed", () => {
  const typed = (schema: ParameterSchema, required: boolean, values: readonly unknown[]) => values.reduce<Control[]>((controls, value) => [...controls, controlOf(schema, value, required, controls.at(-1))], []);
  const formulas = (schema: ParameterSchema, required: boolean, ...values: unknown[]) => typed(schema, required, values).map(({ isFormula }) => isFormula);

  it("stays an expression while half of it is there", () => {
    expect(formulas({ type: "boolean" }, true, undefined, "{", "{{", "{{ $json.a }}", "", undefined)).toEqual(Array(6).fill(true));
    expect(formulas({ type: "array" }, true, undefined, "$", "{{ $json.a }}")).toEqual(Array(3).fill(true));
    expect(formulas({ type: "integer" }, false, "{{  }}", "{", undefined)).toEqual(Array(3).fill(true));
  });
  it("is a value where it begins as one, or is no text", () => {
    expect(formulas({ type: "integer" }, true, undefined, 7)).toEqual([false, false]);
    expect(formulas({ type: "boolean" }, false, undefined)).toEqual([false]);
    expect(formulas({ type: "boolean" }, true, undefined, false)).toEqual([true, false]);
    expect(formulas({ type: "boolean", "x-expression": false }, true, undefined)).toEqual([false]);
  });
  it("stays JSON where texts become a map's", () => expect(typed({ type: "object" }, false, [{ a: 1 }, { a: "b" }]).map(({ kind }) => kind)).toEqual(["json", "json"]));
});

it("shows a place that is to be filled in as an empty field", () => {
  expect([shownIn("text", null), shownIn("number", null), shownIn("reference", null)]).toEqual([undefined, undefined, undefined]);
  expect([shownIn("any", null), shownIn("json", null), shownIn("number", 0)]).toEqual([null, null, 0]);
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
    [startOf("to", { trigger: "t", node: "n", text: "", pinned: { A: [] } }), { version: "draft", trigger: "t", until: "n", pinned: { A: [] } }],
    [startOf("only", { trigger: "", node: "n", text: "" }), { version: "draft", start: "n", only: true }],
  ])("%o", (start, expected) => expect(start).toEqual(expected));
  it("has the pinned items of nodes that are there, and not those of the node that the data is for", () => {
    const flow = { name: "f", nodes: [{ id: "a", name: "A", type: "set" }, { id: "b", name: "B", type: "set" }], pinned: { A: [{ x: 1 }], B: [], Gone: [] } };
    expect(pinsOf(flow, "to", { node: "b", uses: true })).toEqual({ A: [{ x: 1 }], B: [] });
    expect(pinsOf(flow, "from", { node: "b", uses: true })).toEqual({ A: [{ x: 1 }] });
    expect(pinsOf(flow, "all", { node: "b", uses: false })).toEqual({});
    expect(pinsOf({ ...flow, pinned: {} }, "all", { node: undefined, uses: true })).toBeUndefined();
  });
  it("has data that is JSON", () => expect(() => startOf("all", { trigger: "", node: undefined, text: "{" })).toThrow("The data is not JSON"));
});

describe("items to pin", () => {
  it.each([
    [{ main: [{ a: 1 }], error: [] }, [{ a: 1 }]],
    [{}, undefined],
    [{ main: [] }, undefined],
    [{ main: [{ a: 1 }, "… 8 more"] }, "cut"],
    [{ main: [{ a: ["begins… 900 bytes more"] }] }, "cut"],
  ])("of %j", (outputs, items) => expect(itemsToPin(outputs)).toEqual(items));
});
