// A flow as a drawing knows it: nodes with their places, and connections between their ports. Pure.
import { type DrawnNote, notesIn } from "./notes";

export interface DrawnNode {
  id: string;
  name: string;
  type: string;
  position: readonly [number, number] | null;
  disabled: boolean;
  /** Outputs may come of them. */
  parameters?: Readonly<Record<string, unknown>> | undefined;
  /** It has an output for its failures. */
  catches?: boolean;
  /** Items stand for what it makes, where a person tries the flow. */
  pinned?: boolean;
  /** Of two documents that are compared. */
  change?: "added" | "changed" | "removed" | undefined;
}

export interface DrawnConnection {
  type: string; // "main", or the kind of a part
  from: string;
  output: string;
  to: string;
  input: string;
  change?: "added" | "removed";
}

export interface Drawing {
  nodes: readonly DrawnNode[];
  notes?: readonly DrawnNote[];
  connections: readonly DrawnConnection[];
}

/** What an execution did with a node. */
export interface NodeRun {
  state: string;
  took: number | null; // milliseconds
  items: number;
  tries: number;
}

/** What an execution did with a drawing: by the node's id, and by the connection's place in the list. */
export interface Overlay {
  nodes: ReadonlyMap<string, NodeRun>;
  items: readonly number[];
}

export const stateWords = (state: string): string => state.replaceAll("_", " ");

export const isMain = ({ type }: DrawnConnection): boolean => type === "main";

/** Nodes that hang on another one: what a connection of another kind than "main" begins at. */
export const partsOf = ({ connections }: Drawing): Set<string> => new Set(connections.filter((each) => !isMain(each)).map(({ from }) => from));

interface WrittenNode {
  id?: unknown;
  name?: unknown;
  type?: unknown;
  position?: unknown;
  disabled?: unknown;
  parameters?: unknown;
  on_error?: unknown;
}
interface WrittenConnection {
  type?: unknown;
  from?: unknown;
  output?: unknown;
  to?: unknown;
  input?: unknown;
}

const listOf = <Item>(value: unknown): readonly Item[] => (Array.isArray(value) ? (value as Item[]) : []);
const membersOf = (value: unknown) => (typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : undefined);
const textOf = (value: unknown, otherwise: string): string => (typeof value === "string" ? value : otherwise);

export function placeOf(value: unknown): readonly [number, number] | null {
  const [x, y] = listOf<unknown>(value);
  return typeof x === "number" && typeof y === "number" ? [x, y] : null;
}

/** Of a document, which may be a draft with mistakes: what is no node or leads nowhere is left out. */
export function drawingOf(document: object | undefined): Drawing {
  const written = (document ?? {}) as { nodes?: unknown; connections?: unknown; pinned?: unknown };
  const pinned = membersOf(written.pinned) ?? {};
  const nodes = listOf<WrittenNode>(written.nodes).flatMap(({ id, name, type, position, disabled, parameters, on_error }): DrawnNode[] =>
    typeof id === "string"
      ? [{ id, name: textOf(name, id), type: textOf(type, ""), position: placeOf(position), disabled: disabled === true, parameters: membersOf(parameters), catches: on_error === "error_output", ...(Object.hasOwn(pinned, textOf(name, id)) ? { pinned: true } : {}) }]
      : [],
  );
  const ids = new Map([...nodes.map(({ id, name }) => [name, id] as const), ...nodes.map(({ id }) => [id, id] as const)]);
  const connections = listOf<WrittenConnection>(written.connections).flatMap((each): DrawnConnection[] => {
    const type = textOf(each.type, "main");
    const [from, to] = [ids.get(textOf(each.from, "")), ids.get(textOf(each.to, ""))];
    return from !== undefined && to !== undefined ? [{ type, from, output: textOf(each.output, type), to, input: textOf(each.input, type) }] : [];
  });
  const notes = notesIn(document ?? {});
  return { nodes, connections, ...(notes.length > 0 ? { notes } : {}) };
}
