// The ports of a node's card, and where they are on it. Items come in at the left and go out at the right;
// parts hang below the node that has them. Pure.
import type { Schema } from "../api/client";
import type { DrawnConnection, DrawnNode } from "./drawing";

export type NodeType = Schema["NodeType"];
export type NodeTypes = ReadonlyMap<string, NodeType>;
export type Side = "left" | "right" | "top" | "bottom";

export interface Port {
  id: string; // of its handle: "in main", "out true"
  name: string;
  side: Side;
  x: number;
  y: number;
}

export interface CardSize {
  width: number;
  height: number;
}

export const sizes = { main: { width: 220, height: 84 }, part: { width: 112, height: 64 } } as const satisfies Record<string, CardSize>;

export const inputPort = (name: string): string => `in ${name}`;
export const outputPort = (name: string): string => `out ${name}`;

interface Declared {
  name?: unknown;
  type?: unknown;
}

/** The names of ports, those of its type first, by whether items go through them. */
function namesOf(declared: readonly Declared[] | undefined, used: readonly { name: string; main: boolean }[]) {
  const all = new Map<string, boolean>();
  for (const { name, type } of declared ?? []) if (typeof name === "string") all.set(name, type === undefined || type === "main");
  for (const { name, main } of used) if (!all.has(name)) all.set(name, main);
  const pick = (main: boolean) => [...all].filter(([, own]) => own === main).map(([name]) => name);
  return { main: pick(true), parts: pick(false) };
}

const spread = (count: number, length: number, index: number): number => Math.round(((index + 1) * length) / (count + 1));

export function portsOf(node: DrawnNode, connections: readonly DrawnConnection[], type: NodeType | undefined, { width, height }: CardSize): Port[] {
  const inputs = namesOf(type?.inputs, connections.filter(({ to }) => to === node.id).map((each) => ({ name: each.input, main: each.type === "main" })));
  const outputs = namesOf(type?.outputs, connections.filter(({ from }) => from === node.id).map((each) => ({ name: each.output, main: each.type === "main" })));
  const place = (names: readonly string[], side: Side, id: (name: string) => string): Port[] =>
    names.map((name, index) => {
      const across = side === "left" || side === "right";
      const at = spread(names.length, across ? height : width, index);
      return { id: id(name), name, side, x: side === "right" ? width : across ? 0 : at, y: side === "bottom" ? height : across ? at : 0 };
    });
  return [
    ...place(inputs.main, "left", inputPort),
    ...place(inputs.parts, "bottom", inputPort),
    ...place(outputs.main, "right", outputPort),
    ...place(outputs.parts, "top", outputPort),
  ];
}
