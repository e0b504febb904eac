// Two drafts that grew from one: what each side did to each node, and the document of the sides that a person picks.
// Connections need no choice: what either side added is there, what either side took away is gone. Pure.
import { reidentify, renameNode } from "../document/commands";
import { connectionsOf, type Ends, endsIn, type FlowConnection, type FlowDocument, type FlowNode, isObject, isSame, keyOfEnds } from "../document/model";
import { freeId, freeName, takenIn } from "../document/names";

export type Side = "mine" | "theirs";
export type Deed = "added" | "changed" | "removed" | "same";

export interface Difference {
  /** "node ID", or the member of the document beside the nodes: "settings.lane", "notes.ID". */
  key: string;
  title: string;
  mine: Deed;
  theirs: Deed;
  /** Both sides did something, and not the same. */
  disputed: boolean;
}

/** Members whose own members are picked one by one. Notes are a list, by their ids. */
const groups = ["settings", "pinned", "notes"] as const;

function membersOf(name: string, value: unknown): [string, unknown][] | undefined {
  if (!(groups as readonly string[]).includes(name)) return undefined;
  if (isObject(value)) return Object.entries(value);
  const ids = Array.isArray(value) ? value.map((item: unknown) => (isObject(item) && typeof item.id === "string" ? item.id : undefined)) : [];
  const isList = Array.isArray(value) && !ids.includes(undefined) && new Set(ids).size === ids.length;
  return isList ? value.map((item: unknown, index): [string, unknown] => [ids[index] ?? "", item]) : undefined;
}

const besideNodes = ({ nodes: _nodes, connections: _connections, ...rest }: FlowDocument): Map<string, unknown> =>
  new Map(Object.entries(rest).flatMap(([name, value]) => membersOf(name, value)?.map(([own, item]): [string, unknown] => [`${name}.${own}`, item]) ?? [[name, value] as [string, unknown]]));

/** The reverse of besideNodes. `like`: a member that was an object, and has nothing more in it, stays one there. */
function documentBeside(members: ReadonlyMap<string, unknown>, like: readonly FlowDocument[]): Record<string, unknown> {
  const rest: Record<string, unknown> = {};
  for (const [name, value] of members) {
    const group = groups.find((candidate) => name.startsWith(`${candidate}.`));
    if (group === undefined) rest[name] = value;
    else if (group === "notes") rest.notes = [...((rest.notes ?? []) as unknown[]), value];
    else rest[group] = { ...((rest[group] ?? {}) as object), [name.slice(group.length + 1)]: value };
  }
  for (const group of groups) if (rest[group] === undefined && like.every((document) => document[group] !== undefined)) rest[group] = group === "notes" ? [] : {};
  return rest;
}

function deedOf(before: unknown, after: unknown): Deed {
  if (isSame(before, after)) return "same";
  return before === undefined ? "added" : after === undefined ? "removed" : "changed";
}

const byId = ({ nodes }: FlowDocument) => new Map(nodes.map((node) => [node.id, node]));

/**
 * My document, where no node is taken for another one of theirs: nodes that both sides added by one id are two, and so
 * are those that got one name. Mine get other ids and names; what names them follows.
 */
export function apart(base: FlowDocument, mine: FlowDocument, theirs: FlowDocument): FlowDocument {
  const [old, others] = [byId(base), byId(theirs)];
  const taken = new Set([...takenIn(mine), ...takenIn(theirs)]);
  let next = mine;
  for (const node of mine.nodes) {
    const before = old.get(node.id);
    const twin = before ? undefined : others.get(node.id);
    const isOther = twin !== undefined && !isSame(twin, node);
    if (isOther) {
      const id = freeId(node.id, taken);
      taken.add(id);
      next = reidentify(node.id, id)(next);
      if (twin.name !== node.name) continue;
      next = renamedApart(next, id, node.name, taken);
    } else if (before?.name !== node.name && theirs.nodes.some(({ id, name }) => name === node.name && id !== node.id)) next = renamedApart(next, node.id, node.name, taken);
  }
  return next;
}

function renamedApart(document: FlowDocument, id: string, name: string, taken: Set<string>): FlowDocument {
  const free = freeName(name, taken);
  taken.add(free);
  return renameNode(id, free)(document);
}

export function differencesOf(base: FlowDocument, mine: FlowDocument, theirs: FlowDocument): Difference[] {
  const compare = (key: string, title: string, values: readonly [unknown, unknown, unknown]): Difference => {
    const [before, own, other] = values;
    const deeds = { mine: deedOf(before, own), theirs: deedOf(before, other) };
    return { key, title, ...deeds, disputed: deeds.mine !== "same" && deeds.theirs !== "same" && !isSame(own, other) };
  };
  const [old, own, other] = [byId(base), byId(mine), byId(theirs)];
  const ids = new Set([...own.keys(), ...other.keys(), ...old.keys()]);
  const nodes = [...ids].map((id) => compare(`node ${id}`, (own.get(id) ?? other.get(id) ?? old.get(id))?.name ?? id, [old.get(id), own.get(id), other.get(id)]));
  const [before, ours, others] = [besideNodes(base), besideNodes(mine), besideNodes(theirs)];
  const names = new Set([...ours.keys(), ...others.keys(), ...before.keys()]);
  const members = [...names].map((name) => compare(name, name, [before.get(name), ours.get(name), others.get(name)]));
  return [...nodes, ...members].filter((difference) => difference.mine !== "same" || difference.theirs !== "same");
}

/** Who changed it keeps the change; of what both changed, mine. */
export const usualSide = ({ mine }: Difference): Side => (mine === "same" ? "theirs" : "mine");

function connectionsBy(base: FlowDocument, mine: FlowDocument, theirs: FlowDocument, ids: ReadonlySet<string>): FlowConnection[] {
  const keyed = (document: FlowDocument) => new Map(connectionsOf(document).map((connection, index) => [keyOfEnds(endsIn(document)[index] as Ends), { connection, ends: endsIn(document)[index] as Ends }]));
  const [old, own, other] = [keyed(base), keyed(mine), keyed(theirs)];
  const stays = (key: string) => (old.has(key) ? own.has(key) && other.has(key) : true);
  const merged = new Map([...own, ...[...other].filter(([key]) => !own.has(key))]);
  return [...merged].filter(([key, { ends }]) => stays(key) && ids.has(ends.from) && ids.has(ends.to)).map(([, { connection, ends }]) => (connection.from === ends.from && connection.to === ends.to ? connection : { ...connection, from: ends.from, to: ends.to }));
}

/** `mine`: as `apart` returns it. */
export function mergedBy(base: FlowDocument, mine: FlowDocument, theirs: FlowDocument, sideOf: (difference: Difference) => Side): FlowDocument {
  const picks = new Map(differencesOf(base, mine, theirs).map((difference) => [difference.key, sideOf(difference)]));
  const [own, other] = [byId(mine), byId(theirs)];
  const ids = [...new Set([...mine.nodes, ...theirs.nodes].map(({ id }) => id))];
  const nodes = ids.flatMap((id): FlowNode[] => {
    const node = (picks.get(`node ${id}`) === "theirs" ? other : own).get(id);
    return node ? [node] : [];
  });
  const [ours, others] = [besideNodes(mine), besideNodes(theirs)];
  const members = new Map<string, unknown>();
  for (const name of new Set([...ours.keys(), ...others.keys()])) {
    const value = (picks.get(name) === "theirs" ? others : ours).get(name);
    if (value !== undefined) members.set(name, value);
  }
  const connections = connectionsBy(base, mine, theirs, new Set(nodes.map(({ id }) => id)));
  return { ...(documentBeside(members, [mine, theirs]) as { name: string }), nodes, connections };
}
