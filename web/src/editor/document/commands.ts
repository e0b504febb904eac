// What can be done to a document. A command returns another document, or the same one where it changes nothing. Pure.
import type { NodeTypes } from "../../canvas/ports";
import { connectionsOf, type Ends, endsIn, endsOf, type FlowConnection, type FlowDocument, type FlowNode, isEnd, isSame, keyOfEnds, nodeOf, type Parameters, type Path, pinnedOf, type Point, withValue } from "./model";
import { freeId, freeName, nameRefusal, takenIn } from "./names";
import { moveNotes, removeNotes } from "./notes";
import { renamedIn, renamedKeys, renamedNode } from "./rename";

export type Command = (document: FlowDocument) => FlowDocument;

export const combined = (...commands: readonly Command[]): Command => (document) => commands.reduce((next, command) => command(next), document);

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

/** Also notes, by their keys. */
export const moveNodes = (places: ReadonlyMap<string, Point>): Command =>
  combined(
    (document) =>
      changeNodes(document, (node) => {
        const place = places.get(node.id);
        return !place || isSame(node.position, round(place)) ? node : { ...node, position: round(place) };
      }),
    moveNotes(places),
  );

export const connect = (...added: readonly Ends[]): Command => (document) => {
  const present = new Set(endsIn(document).map(keyOfEnds));
  const fresh = added.filter((ends) => !present.has(keyOfEnds(ends)));
  return fresh.length === 0 ? document : { ...document, connections: [...connectionsOf(document), ...fresh.map(written)] };
};

export const disconnect = (...removed: readonly Ends[]): Command => (document) => {
  const gone = new Set(removed.map(keyOfEnds));
  const connections = connectionsOf(document).filter((connection) => !gone.has(keyOfEnds(endsOf(document, connection))));
  return connections.length === connectionsOf(document).length ? document : { ...document, connections };
};

/** With their connections and pinned items. Also notes, by their keys. */
export const removeNodes = (ids: ReadonlySet<string>): Command => (before) => {
  const document = removeNotes(ids)(before);
  const gone = document.nodes.filter(({ id }) => ids.has(id));
  if (gone.length === 0) return document;
  const isGone = (end: string) => gone.some((node) => isEnd(end, node));
  const connections = connectionsOf(document).filter(({ from, to }) => !isGone(from) && !isGone(to));
  const nodes = document.nodes.filter(({ id }) => !ids.has(id));
  const next = connections.length === connectionsOf(document).length ? { ...document, nodes } : { ...document, nodes, connections };
  return combined(...gone.map(({ name }) => pin(name, undefined)))(next);
};

/** The items that stand for the output of the node of that name; undefined: none. */
export const pin = (name: string, items: readonly Parameters[] | undefined): Command => (document) => {
  const { [name]: before, ...rest } = pinnedOf(document);
  if (isSame(before, items)) return document;
  const { pinned: _pinned, ...bare } = document;
  const pinned = items === undefined ? rest : { ...pinnedOf(document), [name]: items };
  return Object.keys(pinned).length === 0 ? (bare as FlowDocument) : { ...document, pinned };
};

/** Expressions, pinned items, and connections that name the node, follow. A name that is taken changes nothing. */
export const renameNode = (id: string, name: string, types?: NodeTypes): Command => (document) => {
  const before = nodeOf(document, id)?.name;
  if (before === undefined || before === name || nameRefusal(document, id, name) !== undefined) return document;
  const names = new Map([[before, name]]);
  const nodes = document.nodes.map((node): FlowNode => {
    const next = renamedNode(node, names, types);
    return next.id === id ? { ...next, name } : next;
  });
  const isId = document.nodes.some((node) => node.id === before);
  const endOf = (end: string) => (end === before && !isId ? id : end);
  const connections = connectionsOf(document).map((connection) => (endOf(connection.from) === connection.from && endOf(connection.to) === connection.to ? connection : { ...connection, from: endOf(connection.from), to: endOf(connection.to) }));
  const settings = document.settings && renamedIn(document.settings, names);
  const pinned = document.pinned && renamedKeys(pinnedOf(document), names);
  return { ...document, ...(settings ? { settings } : {}), ...(pinned ? { pinned } : {}), nodes, ...(document.connections ? { connections } : {}) };
};

/** Another id for the node, also at the ends of its connections. */
export const reidentify = (id: string, next: string): Command => (document) => {
  const nodes = document.nodes.map((node) => (node.id === id ? { ...node, id: next } : node));
  const connections = connectionsOf(document).map((connection): FlowConnection => {
    const { from, to } = endsOf(document, connection);
    return from !== id && to !== id ? connection : { ...connection, from: from === id ? next : connection.from, to: to === id ? next : connection.to };
  });
  return { ...document, nodes, ...(document.connections ? { connections } : {}) };
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

