// Two drafts that grew from one: what each side did to each node, and the document of the sides that a person picks.
// Connections need no choice: what either side added is there, what either side took away is gone. Pure.
import { connectionsOf, endsOf, type FlowConnection, type FlowDocument, type FlowNode, isSame, keyOfEnds } from "../document/model";

export type Side = "mine" | "theirs";
export type Deed = "added" | "changed" | "removed" | "same";

export interface Difference {
  /** "node ID", or the member of the document beside the nodes. */
  key: string;
  title: string;
  mine: Deed;
  theirs: Deed;
  /** Both sides did something, and not the same. */
  disputed: boolean;
}

const besideNodes = ({ nodes: _nodes, connections: _connections, settings = {}, ...rest }: FlowDocument): Map<string, unknown> =>
  new Map([...Object.entries(rest), ...Object.entries(settings).map(([name, value]) => [`settings.${name}`, value] as const)]);

function deedOf(before: unknown, after: unknown): Deed {
  if (isSame(before, after)) return "same";
  return before === undefined ? "added" : after === undefined ? "removed" : "changed";
}

const byId = ({ nodes }: FlowDocument) => new Map(nodes.map((node) => [node.id, node]));

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
  return [...nodes, ...members].filter((each) => each.mine !== "same" || each.theirs !== "same");
}

/** Who changed it keeps the change; of what both changed, mine. */
export const usualSide = ({ mine }: Difference): Side => (mine === "same" ? "theirs" : "mine");

function connectionsBy(base: FlowDocument, mine: FlowDocument, theirs: FlowDocument, ids: ReadonlySet<string>): FlowConnection[] {
  const keyed = (document: FlowDocument) => new Map(connectionsOf(document).map((each) => [keyOfEnds(endsOf(document, each)), each]));
  const [old, own, other] = [keyed(base), keyed(mine), keyed(theirs)];
  const stays = (key: string) => (old.has(key) ? own.has(key) && other.has(key) : true);
  const merged = new Map([...own, ...[...other].filter(([key]) => !own.has(key))]);
  const isWhole = (each: FlowConnection) => {
    const { from, to } = endsOf(mine, each);
    return (ids.has(from) || ids.has(each.from)) && (ids.has(to) || ids.has(each.to));
  };
  return [...merged].filter(([key, each]) => stays(key) && isWhole(each)).map(([, each]) => each);
}

export function mergedBy(base: FlowDocument, mine: FlowDocument, theirs: FlowDocument, sideOf: (difference: Difference) => Side): FlowDocument {
  const picks = new Map(differencesOf(base, mine, theirs).map((each) => [each.key, sideOf(each)]));
  const [own, other] = [byId(mine), byId(theirs)];
  const ids = [...new Set([...mine.nodes, ...theirs.nodes].map(({ id }) => id))];
  const nodes = ids.flatMap((id): FlowNode[] => {
    const node = (picks.get(`node ${id}`) === "theirs" ? other : own).get(id);
    return node ? [node] : [];
  });
  const [ours, others] = [besideNodes(mine), besideNodes(theirs)];
  const settings: Record<string, unknown> = {};
  const rest: Record<string, unknown> = {};
  for (const name of new Set([...ours.keys(), ...others.keys()])) {
    const value = (picks.get(name) === "theirs" ? others : ours).get(name);
    if (value === undefined) continue;
    if (name.startsWith("settings.")) settings[name.slice("settings.".length)] = value;
    else rest[name] = value;
  }
  const hasSettings = Object.keys(settings).length > 0 || (mine.settings !== undefined && theirs.settings !== undefined);
  const connections = connectionsBy(base, mine, theirs, new Set(nodes.map(({ id }) => id)));
  return { ...(rest as { name: string }), ...(hasSettings ? { settings } : {}), nodes, connections };
}
