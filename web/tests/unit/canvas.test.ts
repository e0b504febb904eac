import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

import { describe, expect, it } from "vitest";

import type { Schema } from "../../src/api/client";
import { drawingOf, type Drawing } from "../../src/canvas/drawing";
import { layout } from "../../src/canvas/layout";
import { pictureOf } from "../../src/canvas/picture";
import { portsOf, sizes } from "../../src/canvas/ports";
import { storedPlaces, toCanvas } from "../../src/canvas/to-canvas";
import { drawingOfRun, overlayOf } from "../../src/executions/overlay";
import type { NodeRun } from "../../src/executions/queries";
import { shownOf } from "../../src/flows/queries";

const written = (document: unknown) => drawingOf(document as Schema["FlowDocument"]);
const node = (id: string, position: readonly [number, number] | null = null) => ({ id, name: id.toUpperCase(), type: "set", position, disabled: false });
const along = (from: string, to: string) => ({ type: "main", from, output: "main", to, input: "main" });
const hangs = (from: string, to: string) => ({ type: "ai_tool", from, output: "ai_tool", to, input: "ai_tool" });
const types = new Map();
const templates = path.join(path.dirname(fileURLToPath(import.meta.url)), "../../../flows/templates");

describe("a document as a drawing", () => {
  it("has ports where none are written, and finds nodes by id or name", () => {
    const { nodes, connections } = written({
      nodes: [{ id: "a", name: "Start", type: "manual", position: [1, 2] }, { id: "b", name: "End", type: "set", disabled: true }],
      connections: [{ from: "a", to: "End" }, { type: "ai_tool", from: "Start", to: "b" }],
    });
    expect(nodes.map(({ position, disabled }) => [position, disabled])).toEqual([[[1, 2], false], [null, true]]);
    expect(connections).toEqual([along("a", "b"), hangs("a", "b")]);
  });

  it("leaves out what a draft has wrong", () => {
    expect(written(undefined)).toEqual({ nodes: [], connections: [] });
    expect(written({ nodes: [7, { id: "a", position: ["x"] }], connections: [{ from: "a", to: "gone" }] })).toMatchObject({ nodes: [{ id: "a", name: "a", position: null }], connections: [] });
  });
});

describe("ports", () => {
  it("are those of the type, then those that are used", () => {
    const type = { inputs: [{ name: "main" }], outputs: [{ name: "true" }, { name: "false" }] } as unknown as Schema["NodeType"];
    const ports = portsOf(node("if"), [{ ...along("if", "x"), output: "error" }, hangs("tool", "if")], type, sizes.main);
    expect(ports.map(({ id, side }) => [id, side])).toEqual([["in main", "left"], ["in ai_tool", "bottom"], ["out true", "right"], ["out false", "right"], ["out error", "right"]]);
    expect(ports.filter(({ side }) => side === "right").map(({ y }) => y)).toEqual([21, 42, 63]);
  });
});

describe("the canvas of a run", () => {
  const run = (id: string, state: string, more: object = {}) => ({ node: id, name: id, type: "set", position: [0, 0], state, began_ms: 5, ended_ms: 25, tries: 1, input: [], outputs: {}, parameters: {}, error: null, metadata: {}, ...more }) as unknown as NodeRun;
  const runs = [run("a", "done", { outputs: { main: [{}, {}] } }), run("b", "not_reached", { began_ms: null }), run("t", "used", { metadata: { calls: 3 } }), run("u", "skipped")];
  const connections = [{ ...along("a", "b"), items: 0 }, { ...along("a", "a"), items: 2 }, { ...hangs("t", "a"), items: 3 }, { ...hangs("u", "a"), items: 0 }];
  const { nodes, edges } = toCanvas(drawingOfRun(runs, connections), { places: new Map(), types, overlay: overlayOf(runs, connections), selected: "b" });

  it("shows what each node did", () => {
    expect(nodes.map(({ data }) => data.run)).toEqual([
      { state: "done", took: 20, items: 2, tries: 1 },
      { state: "not_reached", took: null, items: 0, tries: 1 },
      { state: "used", took: 20, items: 3, tries: 1 },
      { state: "skipped", took: 20, items: 0, tries: 1 },
    ]);
    expect(nodes.map(({ selected, data }) => [selected, data.part])).toEqual([[false, false], [true, false], [false, true], [false, true]]);
  });

  it("tells edges that carried items from those that did not", () => {
    expect(edges.map(({ className, label }) => [className, label])).toEqual([["along unused", undefined], ["along carried", "2"], ["hangs carried", "3"], ["hangs unused", undefined]]);
    expect(edges[1]?.ariaLabel).toBe("a to a, used");
  });

  it("counts what the server left out of a long list", () => {
    const cut = [run("a", "done", { outputs: { main: [{}, {}, "… 998 more"] } })];
    expect(overlayOf(cut, []).nodes.get("a")?.items).toBe(1000);
  });

  it("says nothing of runs where there is none", () => {
    const plain = toCanvas(drawingOfRun(runs, connections), { places: new Map(), types });
    expect(plain.edges.map(({ className }) => className)).toEqual(["along", "along", "hangs", "hangs"]);
    expect(plain.nodes[0]?.data.run).toBeUndefined();
  });

  it("connects edges to handles that the nodes have", () => {
    for (const edge of edges) {
      const has = (id: string, handle: string | null | undefined) => nodes.find((each) => each.id === id)?.handles?.some((each) => each.id === handle);
      expect([has(edge.source, edge.sourceHandle), has(edge.target, edge.targetHandle)]).toEqual([true, true]);
    }
  });
});

describe("places", () => {
  it("are the document's if it has all of them", () => {
    expect(storedPlaces({ nodes: [node("a", [1, 2])], connections: [] })).toEqual(new Map([["a", [1, 2]]]));
    expect(storedPlaces({ nodes: [node("a", [1, 2]), node("b")], connections: [] })).toBeUndefined();
  });

  it("are laid out from left to right, parts below their node, and no two overlap", async () => {
    const tools = Array.from({ length: 6 }, (_none, index) => `t${index}`);
    const drawing: Drawing = {
      nodes: ["start", "agent", "end", "lost", ...tools].map((id) => node(id)),
      connections: [along("start", "agent"), along("agent", "end"), ...tools.map((tool) => hangs(tool, "agent")), hangs("lost", "t0")],
    };
    const places = await layout(drawing);
    const at = (id: string) => places.get(id) ?? [Number.NaN, Number.NaN];
    expect(at("start")[0]).toBeLessThan(at("agent")[0]);
    expect(at("agent")[0]).toBeLessThan(at("end")[0]);
    for (const tool of [...tools, "lost"]) expect(at(tool)[1]).toBeGreaterThan(at("agent")[1] + sizes.main.height);
    const boxes = drawing.nodes.map(({ id }) => ({ id, x: at(id)[0], y: at(id)[1], ...(id.startsWith("t") || id === "lost" ? sizes.part : sizes.main) }));
    const overlaps = boxes.flatMap((a, index) => boxes.slice(index + 1).filter((b) => a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height).map((b) => `${a.id} ${b.id}`));
    expect(overlaps).toEqual([]);
  });
});

describe("the shown version", () => {
  it("is the address', the published one, or the draft", () => {
    expect([shownOf("3", 5), shownOf(undefined, 5), shownOf("draft", 5), shownOf(undefined, null), shownOf("x", 5)]).toEqual([3, 5, "draft", "draft", 5]);
  });
});

describe("the picture of a template", () => {
  const files = readdirSync(templates).map((file) => JSON.parse(readFileSync(path.join(templates, file), "utf8")) as { nodes: unknown[]; connections: unknown[] });

  it("has a card for each node and a line for each connection", () => {
    expect(files.length).toBeGreaterThan(0);
    for (const file of files) {
      const { cards, lines, box } = pictureOf(drawingOf(file), types);
      expect([cards.length, lines.length]).toEqual([file.nodes.length, file.connections.length]);
      const [left = 0, top = 0, width = 0, height = 0] = box.split(" ").map(Number);
      for (const card of cards) {
        expect(card.x >= left && card.x + card.width <= left + width).toBe(true);
        expect(card.y >= top && card.y + card.height <= top + height).toBe(true);
      }
    }
  });
});
