// The library's handles as ports of the document. Pure.
import type { Connection } from "@xyflow/react";

import type { Port } from "../document/addition";
import type { Ends } from "../document/model";

interface HandleLike {
  nodeId: string;
  id?: string | null;
  type: "source" | "target";
}

const nameOf = (handle: string | null | undefined) => (handle ?? "").replace(/^(in|out) /, "");

export const portOf = ({ nodeId, id, type }: HandleLike): Port => ({ node: nodeId, name: nameOf(id), side: type === "source" ? "output" : "input" });

/** Undefined where both are outputs, or both inputs. */
export function endsOfHandles(one: HandleLike, other: HandleLike): Omit<Ends, "type"> | undefined {
  if (one.type === other.type) return undefined;
  const [from, to] = one.type === "source" ? [one, other] : [other, one];
  return { from: from.nodeId, output: nameOf(from.id), to: to.nodeId, input: nameOf(to.id) };
}

export const endsOfConnection = ({ source, sourceHandle, target, targetHandle }: Omit<Connection, "sourceHandle" | "targetHandle"> & { sourceHandle?: string | null; targetHandle?: string | null }): Omit<Ends, "type"> => ({
  from: source,
  output: nameOf(sourceHandle),
  to: target,
  input: nameOf(targetHandle),
});
