// A drawing as nodes and edges of the canvas. Sizes and ports are computed, so that the first picture is the
// right one: nothing waits to be measured. Pure.
import type { Edge, Node, NodeHandle, Position } from "@xyflow/react";

import { type Drawing, type DrawnConnection, type DrawnNode, isMain, type NodeRun, type Overlay, partsOf } from "./drawing";
import { inputPort, isPartType, type NodeTypes, outputPort, type Port, portsOf, sizes } from "./ports";

export interface CardData extends Record<string, unknown> {
  name: string;
  title: string; // of its type
  group: string;
  part: boolean;
  disabled: boolean;
  pinned: boolean;
  ports: Port[];
  run: NodeRun | undefined;
  mark: Mark | undefined;
  change: DrawnNode["change"];
}
/** What is to be said of a node: the worst that is wrong with it, or how it differs, in words. */
export interface Mark {
  tone: "bad" | "warn" | "good";
  words: string;
  sign?: string;
}
export type CardNode = Node<CardData, "card">;
export type Places = ReadonlyMap<string, readonly [number, number]>;

const changeMarks: Record<NonNullable<DrawnNode["change"]>, Mark> = {
  added: { tone: "good", words: "It is new.", sign: "+" },
  changed: { tone: "warn", words: "It is changed.", sign: "~" },
  removed: { tone: "bad", words: "It is removed.", sign: "−" },
};
const lineMarks = { added: { label: "+", words: ", new" }, removed: { label: "−", words: ", removed" } };

const handleOf = ({ id, side, x, y }: Port): NodeHandle => ({
  id,
  type: id.startsWith("in ") ? "target" : "source",
  position: side as Position,
  x,
  y,
  width: 1,
  height: 1,
});

/** Where the document has its nodes; undefined where one of them has no place. */
export function storedPlaces({ nodes }: Drawing): Places | undefined {
  const places = new Map<string, readonly [number, number]>();
  for (const { id, position } of nodes) if (position) places.set(id, position);
  return places.size === nodes.length ? places : undefined;
}

interface Context {
  places: Places;
  types: NodeTypes;
  overlay?: Overlay | undefined;
  selected?: string | undefined;
  marks?: ReadonlyMap<string, Mark>;
}

const none: readonly DrawnConnection[] = [];

/** Looked at once, however many nodes there are. */
function byNode(connections: readonly DrawnConnection[]): ReadonlyMap<string, readonly DrawnConnection[]> {
  const byNode = new Map<string, DrawnConnection[]>();
  for (const connection of connections)
    for (const id of new Set([connection.from, connection.to])) {
      const own = byNode.get(id);
      if (own) own.push(connection);
      else byNode.set(id, [connection]);
    }
  return byNode;
}

function cardOf(node: DrawnNode, hangs: boolean, connections: readonly DrawnConnection[], { places, types, overlay, selected, marks }: Context): CardNode {
  const type = types.get(node.type);
  const part = hangs || isPartType(type);
  const size = part ? sizes.part : sizes.main;
  const ports = portsOf(node, connections, type, size);
  const data: CardData = { name: node.name, title: type?.title ?? node.type, group: type?.group ?? "", part, disabled: node.disabled, pinned: node.pinned === true, ports, run: overlay?.nodes.get(node.id), mark: node.change ? changeMarks[node.change] : marks?.get(node.id), change: node.change };
  const [x, y] = places.get(node.id) ?? [0, 0];
  return {
    id: node.id,
    type: "card",
    position: { x, y },
    ...size,
    measured: { ...size },
    handles: ports.map(handleOf),
    data,
    selected: node.id === selected,
    ariaRole: "button",
  };
}

/** An edge that carried items is whole and says how many; one that did not is dashed. Those of parts are dotted. */
function classOf(main: boolean, items: number | undefined): string {
  const kind = main ? "along" : "hangs";
  return items === undefined ? kind : `${kind} ${items > 0 ? "carried" : "unused"}`;
}

export function toCanvas(drawing: Drawing, context: Context): { nodes: CardNode[]; edges: Edge[] } {
  const parts = partsOf(drawing);
  const names = new Map(drawing.nodes.map(({ id, name }) => [id, name]));
  const own = byNode(drawing.connections);
  const runs = context.overlay;
  const nodes = drawing.nodes.map((node) => cardOf(node, parts.has(node.id), own.get(node.id) ?? none, context));
  const edges = drawing.connections.map((connection, index): Edge => {
    const counted = runs?.items[index];
    const uses = isMain(connection) || counted ? counted : runs && (runs.nodes.get(connection.from)?.state === "used" ? 1 : 0);
    const mark = connection.change && lineMarks[connection.change];
    return {
      id: `${index} ${connection.from} ${connection.to}`,
      source: connection.from,
      sourceHandle: outputPort(connection.output),
      target: connection.to,
      targetHandle: inputPort(connection.input),
      interactionWidth: 0, // it is nothing to click
      className: `${classOf(isMain(connection), uses)} ${connection.change ?? ""}`.trim(),
      ...(mark ? { label: mark.label } : counted ? { label: String(counted) } : {}),
      ariaLabel: `${names.get(connection.from)} to ${names.get(connection.to)}${uses === undefined ? "" : uses > 0 ? ", used" : ", not used"}${mark?.words ?? ""}`,
    };
  });
  return { nodes, edges };
}
