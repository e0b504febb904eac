// A flow's document as the editor knows it. It is the exact JSON of the server: members that are not named here are
// kept, and integers have all their digits (api/json). Documents are never changed in place. Pure.

export type Parameters = Readonly<Record<string, unknown>>;

export interface FlowNode {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly position?: readonly [number, number];
  readonly parameters?: Parameters;
  readonly disabled?: boolean;
  readonly notes?: string;
  readonly on_error?: string;
  readonly retry?: { readonly tries: number; readonly delay?: string };
  readonly [other: string]: unknown;
}

export interface FlowConnection {
  readonly type?: string;
  readonly from: string;
  readonly output?: string;
  readonly to: string;
  readonly input?: string;
  readonly [other: string]: unknown;
}

/** Items that stand for what a node makes, by the node's name. */
export type Pinned = Readonly<Record<string, readonly Parameters[]>>;

export interface FlowDocument {
  readonly name: string;
  readonly nodes: readonly FlowNode[];
  readonly connections?: readonly FlowConnection[];
  readonly settings?: Parameters;
  readonly pinned?: Pinned;
  readonly [other: string]: unknown;
}

export type Point = readonly [number, number];
export type Path = readonly (string | number)[];

/** Both ends of a connection, with what a document may leave out. */
export interface Ends {
  type: string;
  from: string;
  output: string;
  to: string;
  input: string;
}

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === "object" && value !== null && !Array.isArray(value);

const hasTexts = (value: unknown, ...members: string[]) => isObject(value) && members.every((member) => typeof value[member] === "string");

/** Undefined where it cannot be drawn: something is missing that every node or connection has. */
export function documentOf(value: unknown): FlowDocument | undefined {
  const { name, nodes, connections = [] } = isObject(value) ? value : {};
  if (typeof name !== "string" || !Array.isArray(nodes) || !Array.isArray(connections)) return undefined;
  const whole = nodes.every((node) => hasTexts(node, "id", "name", "type")) && connections.every((connection) => hasTexts(connection, "from", "to"));
  return whole ? (value as FlowDocument) : undefined;
}

/** Two numbers; undefined for whatever else programs write there. */
export function pointOf(value: unknown): Point | undefined {
  const [x, y] = Array.isArray(value) ? (value as unknown[]) : [];
  return typeof x === "number" && typeof y === "number" && Number.isFinite(x) && Number.isFinite(y) ? [x, y] : undefined;
}

export const connectionsOf = ({ connections = [] }: FlowDocument): readonly FlowConnection[] => connections;

/** Of a list of nodes, which never changes: the first node by each id, and the id that each end of a connection means. */
interface Index {
  byId: ReadonlyMap<string, FlowNode>;
  idOf: ReadonlyMap<string, string>;
}
const indexes = new WeakMap<readonly FlowNode[], Index>();

function indexOf({ nodes }: FlowDocument): Index {
  const present = indexes.get(nodes);
  if (present) return present;
  const byId = new Map<string, FlowNode>();
  const idOf = new Map<string, string>();
  for (const node of nodes) {
    if (!byId.has(node.id)) byId.set(node.id, node);
    for (const end of [node.id, node.name]) if (!idOf.has(end)) idOf.set(end, node.id);
  }
  const index = { byId, idOf };
  indexes.set(nodes, index);
  return index;
}

export const nodeOf = (document: FlowDocument, id: string | undefined): FlowNode | undefined => (id === undefined ? undefined : indexOf(document).byId.get(id));

/** An end names a node by its id; older documents may have its name. */
export const isEnd = (end: string, { id, name }: FlowNode): boolean => end === id || end === name;

/** Its pinned items; whatever else programs write there is none. */
export const pinnedOf = ({ pinned }: FlowDocument): Pinned => (isObject(pinned) ? pinned : {});

/** With ids at both ends. */
export function endsOf(document: FlowDocument, { type = "main", from, output = type, to, input = type }: FlowConnection): Ends {
  const idOf = (end: string) => indexOf(document).idOf.get(end) ?? end;
  return { type, from: idOf(from), output, to: idOf(to), input };
}

const ends = new WeakMap<FlowDocument, readonly Ends[]>();

/** Of all connections, in the document's order. */
export function endsIn(document: FlowDocument): readonly Ends[] {
  const present = ends.get(document);
  if (present) return present;
  const allEnds = connectionsOf(document).map((connection) => endsOf(document, connection));
  ends.set(document, allEnds);
  return allEnds;
}

export const keyOfEnds = ({ type, from, output, to, input }: Ends): string => [type, from, output, to, input].join("\n");

/** The same JSON, whatever order the members of objects have. */
export function isSame(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const [left, right] = [one as Record<string, unknown>, other as Record<string, unknown>];
  const names = Object.keys(left);
  return names.length === Object.keys(right).length && names.every((name) => name in right && isSame(left[name], right[name]));
}

/** The value at a path; undefined where there is none. */
export const valueAt = (value: unknown, path: Path): unknown =>
  path.reduce<unknown>((inner, step) => (typeof inner === "object" && inner !== null ? (inner as Record<string | number, unknown>)[step] : undefined), value);

/** With another value at a path; undefined takes the member away. What lies beside the path stays the same object. */
export function withValue(value: unknown, path: Path, next: unknown): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return next;
  if (typeof step === "number") {
    const list = Array.isArray(value) ? [...(value as unknown[])] : [];
    if (rest.length === 0 && next === undefined) list.splice(step, 1);
    else list[step] = withValue(list[step], rest, next);
    return list;
  }
  const members: Record<string, unknown> = isObject(value) ? { ...value } : {};
  const inner = withValue(members[step], rest, next);
  if (inner === undefined) delete members[step];
  else members[step] = inner;
  return members;
}
