import { describe, expect, it } from "vitest";

import { parseJson, printJson } from "../../src/api/json";
import { combined, type Command, connect, disableNodes, disconnect, moveNodes, newNode, pin, reidentify, removeNodes, renameNode, setInDocument, setInNode, setParameter } from "../../src/editor/document/commands";
import { documentOf, endsOf, type FlowDocument, isSame } from "../../src/editor/document/model";
import { nameRefusal } from "../../src/editor/document/names";
import { fragmentIn, fragmentOf, pasted, textOf } from "../../src/editor/document/paste";
import { renamedText } from "../../src/editor/document/rename";

const base: FlowDocument = {
  format: 1,
  name: "support",
  nodes: [
    { id: "in", name: "Customer", type: "telegram.message", position: [0, 0] },
    { id: "agent", name: "Assistant", type: "agent", position: [240, 0], parameters: { system_prompt: 'You help {{ $node["Customer"].text }}.' } },
    { id: "reply", name: "Reply", type: "telegram.send", parameters: { text: "{{ $json.text }}", chat: 9007199254740993n } },
    { id: "model", name: "Model", type: "model" },
  ],
  connections: [{ from: "in", to: "agent" }, { from: "model", to: "agent", type: "ai_model" }, { from: "agent", to: "reply" }],
  own: { kept: true },
};
const main = (from: string, to: string, output = "main") => ({ type: "main", from, output, to, input: "main" });

describe("commands", () => {
  const table: [string, Command, (document: FlowDocument) => unknown, unknown][] = [
    ["move a node to whole places", moveNodes(new Map([["in", [10.4, -3.6] as const]])), ({ nodes }) => nodes[0]?.position, [10, -4]],
    ["connect two nodes in the shortest words", connect(main("in", "reply")), ({ connections }) => connections?.at(-1), { from: "in", to: "reply" }],
    ["connect a part", connect({ type: "ai_tool", from: "reply", output: "ai_tool", to: "agent", input: "ai_tool" }), ({ connections }) => connections?.at(-1), { type: "ai_tool", from: "reply", to: "agent" }],
    ["connect another output", connect(main("in", "reply", "error")), ({ connections }) => connections?.at(-1), { from: "in", output: "error", to: "reply" }],
    ["disconnect", disconnect(main("in", "agent")), ({ connections }) => connections?.length, 2],
    ["delete a node with its connections", removeNodes(new Set(["agent"])), ({ nodes, connections }) => [nodes.length, connections], [3, []]],
    ["rename a node, and what names it", renameNode("in", 'The "client"'), ({ nodes }) => [nodes[0]?.name, nodes[1]?.parameters?.system_prompt], ['The "client"', 'You help {{ $node["The \\"client\\""].text }}.']],
    ["set a parameter", setParameter("reply", ["text"], "Hi"), ({ nodes }) => nodes[2]?.parameters, { text: "Hi", chat: 9007199254740993n }],
    ["set a parameter of a node without any", setParameter("model", ["backups", 0], "cheap"), ({ nodes }) => nodes[3]?.parameters, { backups: ["cheap"] }],
    ["take a parameter away", setParameter("reply", ["chat"], undefined), ({ nodes }) => nodes[2]?.parameters, { text: "{{ $json.text }}" }],
    ["write a note", setInNode("in", ["notes"], "first"), ({ nodes }) => nodes[0]?.notes, "first"],
    ["change the settings", setInDocument(["settings", "timeout"], "1h"), ({ settings }) => settings, { timeout: "1h" }],
    ["disable nodes", disableNodes(new Set(["in", "reply"]), true), ({ nodes }) => nodes.map(({ disabled }) => disabled), [true, undefined, true, undefined]],
    ["enable them again", combined(disableNodes(new Set(["in"]), true), disableNodes(new Set(["in"]), false)), ({ nodes }) => nodes[0], base.nodes[0]],
  ];
  it.each(table)("%s", (_name, command, pick, expected) => {
    const next = command(base);
    expect(pick(next)).toEqual(expected);
    expect(next.own).toBe(base.own); // members of others stay
    expect(base.nodes).toHaveLength(4);
  });

  const still: [string, Command][] = [
    ["move to the same place", moveNodes(new Map([["in", [0, 0] as const]]))],
    ["connect again", connect(main("in", "agent"))],
    ["disconnect what is not connected", disconnect(main("reply", "in"))],
    ["delete nothing", removeNodes(new Set(["gone"]))],
    ["rename to the same", renameNode("in", "Customer")],
    ["rename to the name of another node", renameNode("in", "Reply")],
    ["rename to the id of another node", renameNode("in", "agent")],
    ["set the same value", setParameter("reply", ["chat"], 9007199254740993n)],
    ["disable a disabled node", disableNodes(new Set(["in"]), false)],
  ];
  it.each(still)("that change nothing return the same document: %s", (_name, command) => expect(command(base)).toBe(base));

  it("leave what they do not touch the same object", () => {
    const next = setParameter("reply", ["text"], "Hi")(base);
    expect(next.nodes[0]).toBe(base.nodes[0]);
    expect(next.connections).toBe(base.connections);
  });

  it("keep a note as it is when a node that it names is renamed", () => {
    const noted = setInNode("agent", ["notes"], '{{ $node["Customer"] }}')(base);
    expect(renameNode("in", "Client")(noted).nodes[1]?.notes).toBe('{{ $node["Customer"] }}');
  });

  it("rename in parameters that are an expression as a whole, as the type says", () => {
    const types = new Map([["http.request", { parameters: { properties: { items: { "x-format": "expression" }, url: {} } } } as never]]);
    const asked: FlowDocument = { name: "f", nodes: [base.nodes[0] as never, { id: "get", name: "Get", type: "http.request", parameters: { items: '$node["Customer"].json.list', url: '$node["Customer"]' } }] };
    expect(renameNode("in", "Client", types)(asked).nodes[1]?.parameters).toEqual({ items: '$node["Client"].json.list', url: '$node["Customer"]' });
    expect(renameNode("in", "Client")(asked).nodes[1]).toBe(asked.nodes[1]);
  });

  it("bring pinned items along: with another name, and away with the node", () => {
    const pinned = combined(pin("Customer", [{ text: "hi" }]), pin("Reply", [{}]))(base);
    expect(renameNode("in", "Client")(pinned).pinned).toEqual({ Client: [{ text: "hi" }], Reply: [{}] });
    expect(removeNodes(new Set(["in"]))(pinned).pinned).toEqual({ Reply: [{}] });
    expect(removeNodes(new Set(["in", "reply"]))(pinned)).not.toHaveProperty("pinned");
    expect(pin("Customer", [{ text: "hi" }])(pinned)).toBe(pinned);
  });

  it("give a node another id with its connections", () => {
    const next = reidentify("agent", "bot")(base);
    expect(next.nodes.map(({ id }) => id)).toEqual(["in", "bot", "reply", "model"]);
    expect(next.connections).toEqual([{ from: "in", to: "bot" }, { from: "model", to: "bot", type: "ai_model" }, { from: "bot", to: "reply" }]);
  });

  it("say why a name is refused", () => expect([nameRefusal(base, "in", "Reply"), nameRefusal(base, "in", "agent"), nameRefusal(base, "in", "Customer"), nameRefusal(base, "in", "in")]).toEqual(["Another node has this name.", "Another node has this as its id.", undefined, undefined]));

  it("know the next free name and id", () => {
    expect(newNode(base, { type: "telegram.send", title: "Reply", position: [1, 2] })).toEqual({ id: "reply_2", name: "Reply 2", type: "telegram.send", position: [1, 2] });
  });
});

describe("renamed references", () => {
  const names = new Map([["A", "B c"], ["Old", "New"]]);
  it.each([
    ['{{ $node["A"].x }}', '{{ $node["B c"].x }}'],
    ["{{ $node['A'].x + $node[ 'Old' ].y }}", "{{ $node['B c'].x + $node[ 'New' ].y }}"],
    ["{{ $node.Old.x }} {{ $node.A.x }}", '{{ $node.New.x }} {{ $node["B c"].x }}'],
    ['$node["A"] outside', '$node["A"] outside'],
    ['{{ $node["Other"] }}', '{{ $node["Other"] }}'],
    [`{{ "say $node['A']" + $node["A"].x }}`, `{{ "say $node['A']" + $node["B c"].x }}`],
    [`{{ r'\$node["A"]' + '''$node["A"]''' }}`, `{{ r'\$node["A"]' + '''$node["A"]''' }}`],
    ['{{ "}}" + $node["A"].x }}', '{{ "}}" + $node["B c"].x }}'],
    ['{{ {"a": {"b": $node["A"]}} }} $node["A"]', '{{ {"a": {"b": $node["B c"]}} }} $node["A"]'],
    ['{{ 1 // $node["A"] }} {{ $node["A"] }}', '{{ 1 // $node["A"] }} {{ $node["B c"] }}'],
    ['{{ $node["\\u0041"].x }}', '{{ $node["B c"].x }}'],
    ['{{ $node[?"A"].x + $node.?A.y }}', '{{ $node[?"B c"].x + $node[?"B c"].y }}'],
    ['{{ $nodes["A"] + $json.node["A"] + $node[A] }}', '{{ $nodes["A"] + $json.node["A"] + $node[A] }}'],
    ['{{ $execution.resume["A"] + $execution.resume.Old }}', '{{ $execution.resume["B c"] + $execution.resume.New }}'],
    ['{{ $execution.id["A"] }}', '{{ $execution.id["A"] }}'],
    ['{{ $node["A"].x } {{ $node["A"].x', '{{ $node["A"].x } {{ $node["A"].x'],
    ['{{ "open $node["A"] }}', '{{ "open $node["A"] }}'],
  ])("%s", (before, after) => expect(renamedText(before, names)).toBe(after));
});

describe("copy and paste", () => {
  it("give the copy ids, names and references of its own", () => {
    const fragment = fragmentIn(textOf(fragmentOf(base, new Set(["in", "agent", "reply"]))));
    expect(fragment).toBeDefined();
    if (!fragment) return;
    expect(fragment.nodes[2]?.parameters?.chat).toBe(9007199254740993n);
    const { command, ids } = pasted(base, fragment, [100, 50]);
    const next = command(base);
    expect([...ids]).toEqual(["in_2", "agent_2", "reply_2"]);
    expect(next.nodes.slice(4).map(({ name, position }) => [name, position])).toEqual([["Customer 2", [100, 50]], ["Assistant 2", [340, 50]], ["Reply 2", [180, 130]]]);
    expect(next.nodes[5]?.parameters?.system_prompt).toBe('You help {{ $node["Customer 2"].text }}.');
    expect(next.connections?.slice(3)).toEqual([{ from: "in_2", to: "agent_2" }, { from: "agent_2", to: "reply_2" }]);
  });
  it("give nodes of other programs ids and places of their own", () => {
    const foreign = fragmentIn('{"name": 7, "nodes": [{"id": "n", "name": "A", "type": "set", "position": {"x": 1}}, {"id": "n", "name": "A", "type": "set", "position": [null, 4]}, {"id": "a b/c", "name": "two\\nlines", "type": "set", "position": [9, 1e999]}], "connections": [{"from": "n", "to": "a b/c"}, {"from": "gone", "to": "n"}]}');
    expect(foreign).toBeDefined();
    if (!foreign) return;
    const next = pasted({ name: "f", nodes: [] }, foreign, [10, 20]).command({ name: "f", nodes: [] });
    expect(next.nodes.map(({ id, name, position }) => [id, name, position])).toEqual([["n", "A", [10, 20]], ["n_2", "A 2", [50, 60]], ["a_b_c", "two lines", [90, 100]]]);
    expect(next.connections).toEqual([{ from: "n", to: "a_b_c" }]);
  });
  it("bring pinned items along", () => {
    const pinned = pin("Customer", [{ text: "hi" }])(base);
    const fragment = fragmentOf(pinned, new Set(["in"]));
    expect(pasted(pinned, fragment, [0, 0]).command(pinned).pinned).toEqual({ Customer: [{ text: "hi" }], "Customer 2": [{ text: "hi" }] });
    expect(fragmentOf(pinned, new Set(["reply"]))).not.toHaveProperty("pinned");
  });
  it.each(["", "words", "7", "[]", '{"nodes": []}', '{"nodes": [{"id": 1}]}', '{"nodes": [{"id": "a", "name": "A", "type": "set"}], "connections": 1}'])("take nothing from %j", (text) => expect(fragmentIn(text)).toBeUndefined());
});

describe("documents", () => {
  it("that cannot be drawn are none", () => {
    expect(documentOf(undefined)).toBeUndefined();
    expect(documentOf({ name: "a", nodes: [{ id: "a" }] })).toBeUndefined();
    expect(documentOf(base)).toBe(base);
  });
  it("keep large integers when they are written", () => expect(printJson(parseJson('{"chat":9007199254740993}'))).toBe('{"chat":9007199254740993}'));
  it("are the same whatever the order of their members", () => {
    expect(isSame({ a: 1, b: [{ c: 2n }] }, { b: [{ c: 2n }], a: 1 })).toBe(true);
    expect(isSame({ a: [1, 2] }, { a: [2, 1] })).toBe(false);
    expect(isSame({ a: undefined }, { b: undefined })).toBe(false);
  });
  it("find the ends of connections by name, too", () => expect(endsOf(base, { from: "Customer", to: "agent" })).toEqual(main("in", "agent")));
});
