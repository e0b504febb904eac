// What can be done to a document. A command returns another document, or the same one where it changes nothing. Pure.
import { connectionsOf, type Ends, endsOf, type FlowConnection, type FlowDocument, type FlowNode, isEnd, isSame, keyOfEnds, type Path, type Point, withValue } from "./model";
import { freeId, freeName, takenIn } from "./names";
import { renamedIn } from "./rename";

export type Command = (document: FlowDocument) => FlowDocument;

function changeNodes(document: FlowDocument, change: (node: FlowNode) => FlowNode): FlowDocument {
  const nodes = document.nodes.map(change);
  return nodes.some((node, index) => node !== document.nodes[index]) ? { ...document, nodes } : document;
}

const round = ([x, y]: Point): Point => [Math.round(x), Math.round(y)];

/** Without what is as it would be anyway. */
function written({ type, from, output, to, input }: Ends): FlowConnection {
  return { ...(type === "main" ? {} : { type }), from, ...(output === type ? {} : { output }), to, ...(input === type ? {} : { input }) };
}

export interface NewNode {
  type: string;
  title: string;
  position: Point;
  parameters?: FlowNode["parameters"];
}

/** The node that a command will add: its id is known beforehand, so that it can be selected and connected. */
export function newNode(document: FlowDocument, { type, title, position, parameters }: NewNode): FlowNode {
  const taken = takenIn(document);
  const name = freeName(title, taken);
  return { id: freeId(name, new Set([...taken, name])), name, type, position: round(position), ...(parameters && Object.keys(parameters).length > 0 ? { parameters } : {}) };
}

export const addNodes = (nodes: readonly FlowNode[]): Command => (document) => (nodes.length === 0 ? document : { ...document, nodes: [...document.nodes, ...nodes] });

export const moveNodes = (places: ReadonlyMap<string, Point>): Command => (document) =>
  changeNodes(document, (node) => {
    const place = places.get(node.id);
    return !place || isSame(node.position, round(place)) ? node : { ...node, position: round(place) };
  });

export const connect = (...all: readonly Ends[]): Command => (document) => {
  const known = new Set(connectionsOf(document).map((each) => keyOfEnds(endsOf(document, each))));
  const fresh = all.filter((ends) => !known.has(keyOfEnds(ends)));
  return fresh.length === 0 ? document : { ...document, connections: [...connectionsOf(document), ...fresh.map(written)] };
};

export const disconnect = (...all: readonly Ends[]): Command => (document) => {
  const gone = new Set(all.map(keyOfEnds));
  const connections = connectionsOf(document).filter((each) => !gone.has(keyOfEnds(endsOf(document, each))));
  return connections.length === connectionsOf(document).length ? document : { ...document, connections };
};

/** With their connections. */
export const removeNodes = (ids: ReadonlySet<string>): Command => (document) => {
  const gone = document.nodes.filter(({ id }) => ids.has(id));
  if (gone.length === 0) return document;
  const isGone = (end: string) => gone.some((node) => isEnd(end, node));
  const connections = connectionsOf(document).filter(({ from, to }) => !isGone(from) && !isGone(to));
  const nodes = document.nodes.filter(({ id }) => !ids.has(id));
  return connections.length === connectionsOf(document).length ? { ...document, nodes } : { ...document, nodes, connections };
};

/** Expressions, and connections that name the node, follow. */
export const renameNode = (id: string, name: string): Command => (document) => {
  const before = document.nodes.find((node) => node.id === id)?.name;
  if (before === undefined || before === name) return document;
  const names = new Map([[before, name]]);
  const nodes = document.nodes.map((node): FlowNode => {
    const next = renamedIn(node, names);
    return next.id === id ? { ...next, name } : next;
  });
  const isId = document.nodes.some((node) => node.id === before);
  const endOf = (end: string) => (end === before && !isId ? id : end);
  const connections = connectionsOf(document).map((each) => (endOf(each.from) === each.from && endOf(each.to) === each.to ? each : { ...each, from: endOf(each.from), to: endOf(each.to) }));
  const settings = document.settings && renamedIn(document.settings, names);
  return { ...document, ...(settings ? { settings } : {}), nodes, ...(document.connections ? { connections } : {}) };
};

/** A member of a node, such as "notes", or one within its parameters. */
export const setInNode = (id: string, path: Path, value: unknown): Command => (document) =>
  changeNodes(document, (node) => {
    if (node.id !== id) return node;
    const next = withValue(node, path, value) as FlowNode;
    return isSame(next, node) ? node : next;
  });

export const setParameter = (id: string, path: Path, value: unknown): Command => setInNode(id, ["parameters", ...path], value);

/** A member of the document beside its nodes, such as one of the settings. */
export const setInDocument = (path: Path, value: unknown): Command => (document) => {
  const next = withValue(document, path, value) as FlowDocument;
  return isSame(next, document) ? document : next;
};

export const disableNodes = (ids: ReadonlySet<string>, disabled: boolean): Command => (document) =>
  changeNodes(document, (node) => {
    if (!ids.has(node.id) || (node.disabled ?? false) === disabled) return node;
    const { disabled: _before, ...rest } = node;
    return disabled ? { ...rest, disabled } : rest;
  });

export const all = (...commands: readonly Command[]): Command => (document) => commands.reduce((next, command) => command(next), document);
