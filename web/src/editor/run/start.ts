// What a run of the draft begins with. Pure.
import { typedJson } from "../../api/json";
import type { NodeTypes } from "../../canvas/ports";
import type { FlowStart } from "../../flows/operate";
import { type FlowDocument, nodeOf, type Pinned, pinnedOf } from "../document/model";

/** Of a flow: all of it, up to a node, from a node on, or a node alone. */
export type Extent = "all" | "to" | "from" | "only";

export type DraftStart = Omit<FlowStart, "pinned" | "until"> & { until?: string; pinned?: Pinned };

interface Choice {
  trigger: string;
  /** The node that the extent is about. */
  node: string | undefined;
  /** The data, as it was typed. */
  text: string;
  /** Undefined: the draft has none. */
  pinned?: Pinned | undefined;
}

export const triggersOf = ({ nodes }: FlowDocument, types: NodeTypes) => nodes.filter(({ type, disabled }) => types.get(type)?.behaviour === "trigger" && !disabled);

function extentOf(extent: Extent, node: string | undefined): Partial<DraftStart> {
  if (extent === "all" || node === undefined) return {};
  if (extent === "to") return { until: node };
  return { start: node, ...(extent === "only" ? { only: true } : {}) };
}

/** Throws what is wrong with the data. */
export function startOf(extent: Extent, { trigger, node, text, pinned }: Choice): DraftStart {
  const data = typedJson(text, "The data");
  return { version: "draft", ...(trigger ? { trigger } : {}), ...extentOf(extent, node), ...(data === undefined ? {} : { data }), ...(pinned ? { pinned } : {}) };
}

/** The pinned items of a run; undefined where the draft has none. A node that the data is for runs, and its own do not stand for it. */
export function pinsOf(document: FlowDocument, extent: Extent, { node, uses }: { node: string | undefined; uses: boolean }): Pinned | undefined {
  const pins = pinnedOf(document);
  if (Object.keys(pins).length === 0) return undefined;
  if (!uses) return {};
  const own = extent === "from" || extent === "only" ? nodeOf(document, node)?.name : undefined;
  const names = new Set(document.nodes.map(({ name }) => name));
  return Object.fromEntries(Object.entries(pins).filter(([name]) => names.has(name) && name !== own));
}
