// Which ports fit, where new nodes go, what a palette finds, and what expressions may name.
import { describe, expect, it } from "vitest";

import type { NodeType } from "../../src/canvas/ports";
import { choicesAt, isInside } from "../../src/code/completions";
import { bestOf, linesOf } from "../../src/editor/canvas/outline";
import { groupsOf } from "../../src/editor/canvas/type-list";
import { additionOf, fits, freePlace } from "../../src/editor/document/addition";
import { candidatesFor, endsBetween, refusalOf } from "../../src/editor/document/fitting";
import type { FlowDocument } from "../../src/editor/document/model";
import { aligned, placed, placedLike, tidied } from "../../src/editor/document/places";
import { namesBefore } from "../../src/editor/panel/names-before";

const type = (name: string, group: string, inputs: object[], outputs: object[], more: object = {}) => ({ name, group, title: name, description: `does ${name}`, inputs, outputs, ...more }) as unknown as NodeType;
const main = { name: "main" };
const types = new Map(
  [
    type("manual", "trigger", [], [main], { behaviour: "trigger" }),
    type("set", "logic", [main], [main]),
    type("if", "logic", [main], [{ name: "true" }, { name: "false" }]),
    type("switch", "logic", [main], [{ name: "otherwise", from_parameter: "rules" }]),
    type("agent", "agent", [main, { name: "ai_model", type: "ai_model", most: 1 }], [main]),
    type("model", "ai_model", [], [{ name: "ai_model", type: "ai_model" }]),
    type("loop", "logic", [main, { name: "next", loop: true }], [{ name: "done" }, { name: "each", loop: true }]),
  ].map((nodeType) => [nodeType.name ?? "", nodeType]),
);
const node = (id: string, own: string, more: object = {}) => ({ id, name: id.toUpperCase(), type: own, position: [0, 0] as const, ...more });
const flow: FlowDocument = {
  name: "f",
  nodes: [node("start", "manual"), node("if", "if", { position: [300, 0] }), node("set", "set", { position: [600, 0] }), node("agent", "agent"), node("model", "model"), node("other", "model"), node("pick", "switch", { parameters: { rules: [{ name: "large" }, { name: "small" }] }, on_error: "error_output" })],
  connections: [{ from: "start", to: "if" }, { from: "if", output: "true", to: "set" }, { from: "model", to: "agent", type: "ai_model" }, { from: "set", to: "agent" }],
};
const ends = (from: string, output: string, to: string, input = "main") => ({ from, output, to, input });

describe("a connection", () => {
  it.each([
    [ends("if", "false", "set"), undefined],
    [ends("pick", "large", "set"), undefined],
    [ends("pick", "otherwise", "set"), undefined],
    [ends("pick", "error", "set"), undefined],
    [ends("set", "main", "set"), "A node is not connected with itself."],
    [ends("start", "main", "if"), "They are connected already."],
    [ends("set", "main", "if"), "This leads in a circle: IF → SET → IF."],
    [ends("model", "ai_model", "set"), "MODEL gives a model. This input of SET takes items."],
    [ends("set", "main", "agent", "ai_model"), "SET gives items. This input of AGENT takes a model."],
    [ends("other", "ai_model", "agent", "ai_model"), "AGENT has a model already, and takes no other."],
    [ends("set", "error", "agent"), "SET has no output error."],
    [ends("set", "main", "start"), "START has no input main."],
    [ends("set", "main", "gone"), "There is no such node."],
  ])("%o", (wanted, refusal) => expect(refusalOf(flow, types, wanted)).toBe(refusal));

  it("has the type of its output", () => expect(endsBetween({ ...flow, connections: [] }, types, ends("model", "ai_model", "agent", "ai_model"))?.type).toBe("ai_model"));
  it("is offered where it fits first", () => {
    const candidates = candidatesFor(flow, types, flow.nodes[1] as never, "false");
    expect(candidates.map(({ node: to, refusal }) => [to.id, refusal === undefined])).toEqual([["set", true], ["agent", true], ["pick", true], ["agent", false]]);
  });
});

describe("a connection of a loop", () => {
  const loop: FlowDocument = {
    name: "f",
    nodes: [node("loop", "loop"), node("one", "set"), node("two", "set")],
    connections: [{ from: "loop", output: "each", to: "one" }, { from: "two", to: "loop", input: "next" }],
  };
  it("may come back to its input for that", () => expect(refusalOf({ ...loop, connections: [loop.connections?.[0] as never] }, types, ends("one", "main", "loop", "next"))).toBeUndefined());
  it("within its body is no circle", () => expect(refusalOf(loop, types, ends("one", "main", "two"))).toBeUndefined());
  it("to its other input is one", () => expect(refusalOf(loop, types, ends("one", "main", "loop"))).toBe("This leads in a circle: LOOP → ONE → LOOP."));
});

describe("many nodes", () => {
  const count = 500;
  const nodes = Array.from({ length: count }, (_each, index) => node(`n${index}`, "set"));
  let reads = 0;
  const connections = nodes.slice(1).map(({ id }, index) => ({
    get from() {
      reads += 1;
      return `n${index}`;
    },
    to: id,
  }));
  const many: FlowDocument = { name: "f", nodes, connections };
  it("are looked at once for all that a node may be connected with", () => {
    const candidates = candidatesFor(many, types, nodes[250] as never, "main");
    expect(reads).toBe(count - 1);
    expect(candidates.filter(({ refusal }) => !refusal)).toHaveLength(248);
    expect(candidates.find(({ ends: { to } }) => to === "n0")?.refusal).toBe("This leads in a circle: N0 → N1 → N2 → … → N250 → N0.");
  });
});

describe("a new node", () => {
  const add = (own: string, options: object) => {
    const { command, id } = additionOf(flow, types, types.get(own) as NodeType, { centre: [50, 60], ...options });
    const next = command(flow);
    return { node: next.nodes.at(-1), added: next.connections?.slice(4), id };
  };
  it("is connected behind the node that is selected", () => expect(add("set", { beside: "if" })).toMatchObject({ id: "set_2", node: { position: [580, 108] }, added: [{ from: "if", output: "true", to: "set_2" }] }));
  it("hangs below the node that takes it", () => {
    const bare = { ...flow, connections: [] };
    const { command } = additionOf(bare, types, types.get("model") as NodeType, { beside: "agent", centre: [0, 0] });
    expect(command(bare).connections).toEqual([{ type: "ai_model", from: "model_2", to: "agent" }]);
  });
  it("takes the end of a pulled connection", () => expect(add("set", { at: [9, 9], port: { node: "pick", name: "small", side: "output" } })).toMatchObject({ node: { position: [9, 9] }, added: [{ from: "pick", output: "small", to: "set_2" }] }));
  it("stands alone where nothing fits", () => expect(add("manual", {})).toMatchObject({ node: { position: [50, 168] }, added: [] }));
  it("fits a port, or does not", () => {
    expect(fits(flow, types, types.get("set") as NodeType, { node: "if", name: "false", side: "output" })).toBe(true);
    expect(fits(flow, types, types.get("model") as NodeType, { node: "if", name: "false", side: "output" })).toBe(false);
  });
  it("does not hide another", () => expect(freePlace(flow, [0, 0])).toEqual([0, 108]));
});

describe("nodes without a place", () => {
  const bare = (id: string, more: object = {}) => ({ id, name: id.toUpperCase(), type: "set", ...more });
  const mixed: FlowDocument = {
    name: "f",
    nodes: [node("a", "set", { position: [100, 40] }), bare("b"), bare("c"), bare("d", { position: ["1", null] }), bare("alone"), node("model", "model", { position: undefined })],
    connections: [{ from: "a", to: "b" }, { from: "b", to: "c" }, { from: "d", to: "a" }, { from: "model", to: "a", type: "ai_model" }],
  };
  const placesOf = (flow: FlowDocument) => Object.fromEntries(flow.nodes.map(({ id, position }) => [id, position]));
  it("stand beside what they are connected with, and the others stay", async () => {
    expect(placesOf(placedLike(mixed))).toEqual({ a: [100, 40], b: [380, 40], c: [660, 40], d: [-180, 40], model: [100, 184], alone: [0, 328] });
    expect(await placed(mixed)).toEqual(placedLike(mixed));
  });
  it("stand where another draft has them", () => expect(placesOf(placedLike(mixed, { name: "f", nodes: [node("b", "set", { position: [7, 8] }), node("a", "set", { position: [9, 9] })] }))).toMatchObject({ a: [100, 40], b: [7, 8] }));
  it("are laid out where there is no other", async () => {
    const laidOut = await placed({ name: "f", nodes: [bare("a"), bare("b")], connections: [{ from: "a", to: "b" }] });
    expect(new Set(laidOut.nodes.map(({ position }) => String(position))).size).toBe(2);
    expect(laidOut.nodes.flatMap(({ position }) => position).every(Number.isFinite)).toBe(true);
  });
  it("change nothing where all have one", () => expect(placedLike(laidOut)).toBe(laidOut));
  const laidOut: FlowDocument = { name: "f", nodes: [node("a", "set")] };
});

describe("places", () => {
  const three: FlowDocument = { name: "f", nodes: [node("a", "set", { position: [0, 0] }), node("b", "set", { position: [300, 50] }), node("c", "set", { position: [1000, 20] })] };
  const places = (command: (document: FlowDocument) => FlowDocument) => command(three).nodes.map(({ position }) => position);
  const everyId = new Set(["a", "b", "c"]);
  it("come into line", () => {
    expect(places(aligned(three, types, everyId, "left"))).toEqual([[0, 0], [0, 50], [0, 20]]);
    expect(places(aligned(three, types, everyId, "top"))).toEqual([[0, 0], [300, 0], [1000, 0]]);
    expect(places(aligned(three, types, everyId, "across"))).toEqual([[0, 0], [500, 50], [1000, 20]]);
    expect(aligned(three, types, new Set(["a"]), "left")(three)).toBe(three);
  });
  it("are laid out anew, from left to right", async () => {
    const { nodes } = (await tidied(flow))(flow);
    const x = (id: string) => nodes.find((each) => each.id === id)?.position?.[0] ?? 0;
    expect(x("start") < x("if") && x("if") < x("set") && x("set") < x("agent")).toBe(true);
  });
});

describe("lists of the editor", () => {
  it("show types by group, or those that match", () => {
    expect(groupsOf(types, "").map(({ title, types: own }) => [title, own.length])).toEqual([["Triggers", 1], ["Agents", 1], ["Logic", 4], ["Models", 1]]);
    expect(groupsOf(types, "does SE").flatMap(({ types: own }) => own.map(({ name }) => name))).toEqual(["set"]);
    expect(groupsOf(types, "nothing")).toEqual([]);
  });
  it("lead to the node that a search names, else to one that begins so, else to the first", () => {
    const lines = ["Read it", "Reader", "Read"].map((name) => ({ node: { id: name, name, type: "set" }, depth: 0 }));
    expect(["read", "reade", "it", "nothing"].map((text) => bestOf(lines, text)?.id)).toEqual(["Read", "Reader", "Read it", "Read it"]);
    expect(bestOf([], "read")).toBeUndefined();
  });
  it("show parts below the node that has them", () => expect(linesOf(flow).map(({ node: { id }, depth }) => `${depth}${id}`)).toEqual(["0start", "0if", "0set", "0agent", "1model", "0other", "0pick"]));
});

describe("completion", () => {
  const names = { nodes: ["Fetch order"], item: { user: { name: "Ada" }, "odd name": 1 }, variables: ["team"] };
  it.each([
    ["plain $js", undefined],
    ["{{ $js", ["$json", "$node", "has"]],
    ["{{ $json.", ["user"]],
    ["{{ $json.user.n", ["name"]],
    ["{{ $vars.", ["team"]],
    ["{{ $session.", ["id", "lane"]],
    ['{{ $node["', ["Fetch order"]],
    ['{{ $node["Fetch order"].', ["json", "items"]],
    ["{{ a }} $json.", undefined],
  ])("after %s", (before, expected) => {
    const labels = choicesAt(before, names)?.choices.map(({ label }) => label);
    if (expected) expect(labels).toEqual(expect.arrayContaining(expected));
    else expect(labels).toBeUndefined();
  });
  it("has the server's functions with what they do", () => {
    const functions = [{ name: "padEnd", style: "method" as const, signature: "text.padEnd(a, b?)", help: "fills it up" }, { name: "math.abs", style: "function" as const, signature: "math.abs(a)", help: "without its sign" }];
    const labels = (before: string) => choicesAt(before, { ...names, functions })?.choices.map(({ label }) => label);
    expect(choicesAt("{{ $json.user.", { ...names, functions })?.choices).toContainEqual({ label: "padEnd", detail: "text.padEnd(a, b?)", info: "fills it up", apply: "padEnd(", late: true });
    expect([labels("{{ ma"), labels("{{ math.a"), labels("{{ $json.tags.map(i, i.p")]).toEqual([expect.arrayContaining(["$json", "math.abs"]), ["math.abs"], ["padEnd"]]);
    expect(choicesAt("{{ math.a", { ...names, functions })?.from).toBe(3);
  });
  it("is inside an expression only", () => expect([isInside("{{ a"), isInside("{{ a }} b"), isInside("a")]).toEqual([true, false, false]));
  it("names what leads to the node, and for a part what leads to its owner", () => {
    expect(namesBefore(flow, "set")).toEqual(["START", "IF"]);
    expect(namesBefore(flow, "model")).toEqual(["START", "IF", "SET"]);
    expect(namesBefore(flow, "start")).toEqual([]);
  });
});
