// An execution as the canvas shows it: the version of the flow that ran, and what ran of it. Pure.
import { type Drawing, type Overlay, placeOf } from "../canvas/drawing";
import type { ExecutionDetails, NodeRun } from "./queries";

type Connections = NonNullable<ExecutionDetails["connections"]>;

const omitted = /^… ([0-9]+) more$/;

/** A list that the server cut ends with a mark that says how much is missing. */
function lengthOf(items: readonly unknown[]): number {
  const last = items.at(-1);
  const missing = typeof last === "string" ? omitted.exec(last)?.[1] : undefined;
  return missing === undefined ? items.length : items.length - 1 + Number(missing);
}

/** A part's `metadata.calls` says how often it was used; any other node is known by what came out of it. */
function itemsOf({ outputs, metadata }: NodeRun): number {
  const calls = metadata.calls;
  if (typeof calls === "number") return calls;
  return Object.values(outputs).reduce((sum, items) => sum + lengthOf(items), 0);
}

export const tookOf = ({ began_ms, ended_ms }: NodeRun): number | null => (began_ms !== null && ended_ms !== null ? ended_ms - began_ms : null);

export const drawingOfRun = (nodes: readonly NodeRun[], connections: Connections): Drawing => ({
  nodes: nodes.map(({ node, name, type, position }) => ({ id: node, name, type, position: placeOf(position), disabled: false })),
  connections,
});

export const overlayOf = (nodes: readonly NodeRun[], connections: Connections): Overlay => ({
  nodes: new Map(nodes.map((node) => [node.node, { state: node.state, took: tookOf(node), items: itemsOf(node), tries: node.tries }])),
  items: connections.map(({ items }) => items),
});
