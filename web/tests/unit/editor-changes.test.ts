// What differs between two documents, and in texts; what comes from n8n; and what models write while they run.
import { afterEach, describe, expect, it, vi } from "vitest";

import type { StreamEvent } from "../../src/api/events";
import { toCanvas } from "../../src/canvas/to-canvas";
import { workflowIn } from "../../src/editor/canvas/n8n";
import { changesBetween, changesOfNode, valueChanges } from "../../src/editor/changes/changes";
import type { FlowDocument } from "../../src/editor/document/model";
import { type Words, withPiece } from "../../src/editor/run/use-words";
import { type Flow, rollBack } from "../../src/flows/operate";
import { wordDiff } from "../../src/flows/word-diff";

afterEach(() => void vi.unstubAllGlobals());

const node = (id: string, text: string, x = 0) => ({ id, name: id.toUpperCase(), type: "set", position: [x, 0] as const, parameters: { text } });
const published: FlowDocument = { name: "f", settings: { timeout: "1h" }, nodes: [node("a", "1"), node("b", "1", 300), node("gone", "1", 600)], connections: [{ from: "a", to: "b" }, { from: "b", to: "gone" }] };
const draft: FlowDocument = { name: "f", settings: { timeout: "2h" }, nodes: [node("a", "1", 50), node("b", "2", 300), node("new", "1", 600)], connections: [{ from: "a", to: "b" }, { from: "b", to: "new" }] };

describe("changes of a draft", () => {
  const changes = changesBetween(published, draft);
  it("are one drawing of both", () => {
    expect(changes.drawing.nodes.map(({ id, change }) => [id, change])).toEqual([["a", undefined], ["b", "changed"], ["new", "added"], ["gone", "removed"]]);
    expect(changes.drawing.connections.map(({ from, to, change }) => [from, to, change])).toEqual([["a", "b", undefined], ["b", "new", "added"], ["b", "gone", "removed"]]);
    expect([changes.added, changes.changed, changes.removed, changes.beside]).toEqual([1, 1, 1, [{ path: "/settings/timeout", before: "1h", after: "2h" }]]);
  });
  it("have signs, not colours alone", () => {
    const { nodes, edges } = toCanvas(changes.drawing, { places: new Map(), types: new Map() });
    expect(nodes.map(({ data }) => data.mark?.sign)).toEqual([undefined, "~", "+", "−"]);
    expect(edges.map(({ label, className }) => [label, className])).toEqual([[undefined, "along"], ["+", "along added"], ["−", "along removed"]]);
  });
  it("of a node are its innermost members that differ, and its place is none", () => {
    expect(changesOfNode(published.nodes[1], draft.nodes[1])).toEqual([{ path: "/parameters/text", before: "1", after: "2" }]);
    expect(changesOfNode(published.nodes[0], draft.nodes[0])).toEqual([]);
    expect(valueChanges({ a: [1, { "b/c": 2 }], d: 1 }, { a: [1, { "b/c": 3 }], e: [] })).toEqual([{ path: "/a/1/b~1c", before: 2, after: 3 }, { path: "/d", before: 1 }, { path: "/e", after: [] }]);
    expect(valueChanges([1], [1, 2])).toEqual([{ path: "", before: [1], after: [1, 2] }]);
  });
});

describe("words of two texts", () => {
  it.each([
    ["You help them.", "You help us.", [["same", "You help "], ["removed", "them"], ["added", "us"], ["same", "."]]],
    ["a b c", "a c", [["same", "a "], ["removed", "b "], ["same", "c"]]],
    ["", "new", [["added", "new"]]],
    ["same", "same", [["same", "same"]]],
    ["one two three", "one 2 three 4", [["same", "one "], ["removed", "two"], ["added", "2"], ["same", " three"], ["added", " 4"]]],
  ])("%j and %j", (before, after, pieces) => expect(wordDiff(before, after).map(({ kind, text }) => [kind, text])).toEqual(pieces));
  it("are shown as a whole where they are too many", () => {
    const [before, after] = ["a ".repeat(1500), "b ".repeat(1500)];
    expect(wordDiff(before, after).filter(({ kind }) => kind !== "same").map(({ kind }) => kind)).toEqual(["removed", "added"]);
  });
});

describe("a roll back", () => {
  it("restores the version and publishes that draft", async () => {
    const asked: string[] = [];
    vi.stubGlobal("fetch", async (address: string, { method, headers }: { method: string; headers: Record<string, string> }) => {
      asked.push(`${method} ${address} ${headers["If-Match"] ?? ""}`.trim());
      return new Response('{"name": "f", "published_version": 4}', { headers: { ETag: '"2"' } });
    });
    expect(await rollBack({ name: "f", tag: '"1"' } as Flow, 2)).toEqual({ name: "f", published_version: 4 });
    expect(asked).toEqual(['POST /api/v1/flows/f/versions/2/restore "1"', "GET /api/v1/flows/f", 'POST /api/v1/flows/f/publish "2"']);
  });
});

describe("a workflow of n8n", () => {
  it.each([
    ['{"nodes": [{"type": "n8n-nodes-base.set"}], "connections": {}}', true],
    ['{"nodes": [{"type": "@n8n/n8n-nodes-langchain.agent"}]}', true],
    ['{"nodes": [{"type": "@someone/n8n-nodes-thing.act"}], "connections": {}}', true],
    ['{"nodes": [{"type": "set"}], "connections": {}}', false],
    ['{"nodes": [{"type": "n8n-nodes-base.set"}], "connections": []}', false],
    ['{"nodes": []}', false],
    ["words", false],
    ['{"nodes"', false],
  ])("%s", (text, isOne) => expect(workflowIn(text) !== undefined).toBe(isOne));
});

describe("what a model writes", () => {
  const event = (type: string, more: object): StreamEvent => ({ type, data: { topic: "execution:7", node: "agent", ...more } });
  const after = (...events: StreamEvent[]) => events.reduce<Words>((words, event) => withPiece(words, "execution:7", event), new Map()).get("agent");
  const piece = (text: string) => event("model_chunk", { detail: { text } });
  it("comes in pieces", () => expect(after(piece("Hel"), piece("lo"))).toBe("Hello"));
  it("begins anew behind its thoughts", () => expect(after(piece("Hm"), piece(""), piece("Yes"))).toBe("Yes"));
  it("is over when its node is", () => expect(after(piece("Hm"), event("node_finished", {}))).toBeUndefined());
  it("is of that execution", () => expect(after({ type: "model_chunk", data: { topic: "execution:8", node: "agent", detail: { text: "x" } } })).toBeUndefined());
});
