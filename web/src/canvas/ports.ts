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
  kind: string; // "main", or the kind of the parts that it connects
  title: string;
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
  title?: unknown;
  from_parameter?: unknown;
}

export interface NamedPort {
  name: string;
  kind: string;
  title: string;
}

/** The names that the rows of a parameter give to outputs. */
function namesIn(value: unknown): string[] {
  const rows = Array.isArray(value) ? (value as { name?: unknown }[]) : [];
  return [...new Set(rows.map((row) => row?.name))].filter((name): name is string => typeof name === "string" && name !== "");
}

function declaredBy(declared: readonly Declared[] | undefined, parameters: DrawnNode["parameters"]): NamedPort[] {
  return (declared ?? []).flatMap(({ name, type = "main", title = "", from_parameter: source }): NamedPort[] => {
    const port = (own: unknown): NamedPort => ({ name: String(own), kind: String(type), title: own === name ? String(title) : "" });
    const grown = typeof source === "string" ? namesIn(parameters?.[source]).map(port) : [];
    return typeof name === "string" ? [...grown, port(name)] : grown;
  });
}

/** Those of its type, then those that connections use. */
function withUsed(declared: readonly NamedPort[], used: readonly NamedPort[]): NamedPort[] {
  const all = new Map(declared.map((port) => [port.name, port]));
  for (const port of used) if (!all.has(port.name)) all.set(port.name, port);
  return [...all.values()];
}

const errors: NamedPort = { name: "error", kind: "main", title: "where it fails" };

export const inputsOf = (type: NodeType | undefined): NamedPort[] => declaredBy(type?.inputs, undefined);

export const outputsOf = (type: NodeType | undefined, { parameters, catches }: Pick<DrawnNode, "parameters" | "catches">): NamedPort[] => withUsed(declaredBy(type?.outputs, parameters), catches ? [errors] : []);

/** What hangs on other nodes: everything that comes out of it is a part. */
export function isPartType(type: NodeType | undefined): boolean {
  const outputs = declaredBy(type?.outputs, undefined);
  return outputs.length > 0 && outputs.every(({ kind }) => kind !== "main");
}

const spread = (count: number, length: number, index: number): number => Math.round(((index + 1) * length) / (count + 1));

/** `connections`: those of the node, or more. */
export function portsOf(node: DrawnNode, connections: readonly DrawnConnection[], type: NodeType | undefined, { width, height }: CardSize): Port[] {
  const used = (name: string, kind: string): NamedPort => ({ name, kind, title: "" });
  const inputs = withUsed(inputsOf(type), connections.filter(({ to }) => to === node.id).map((each) => used(each.input, each.type)));
  const outputs = withUsed(outputsOf(type, node), connections.filter(({ from }) => from === node.id).map((each) => used(each.output, each.type)));
  const place = (ports: readonly NamedPort[], side: Side, id: (name: string) => string): Port[] =>
    ports.map((port, index) => {
      const across = side === "left" || side === "right";
      const at = spread(ports.length, across ? height : width, index);
      return { ...port, id: id(port.name), side, x: side === "right" ? width : across ? 0 : at, y: side === "bottom" ? height : across ? at : 0 };
    });
  const pick = (ports: readonly NamedPort[], main: boolean) => ports.filter(({ kind }) => (kind === "main") === main);
  return [
    ...place(pick(inputs, true), "left", inputPort),
    ...place(pick(inputs, false), "bottom", inputPort),
    ...place(pick(outputs, true), "right", outputPort),
    ...place(pick(outputs, false), "top", outputPort),
  ];
}
