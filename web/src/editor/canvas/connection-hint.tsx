import { Panel, useConnection } from "@xyflow/react";

import { useDesk, useDocument } from "../desk";
import { outputsAt, refusalOf, wordsOfKind } from "../document/fitting";
import { nodeOf } from "../document/model";
import { endsOfHandles } from "./handles";

/** While a connection is pulled: what it is, and why it may not end where the pointer is. */
export function ConnectionHint() {
  const { types } = useDesk();
  const document = useDocument();
  const pulled = useConnection();
  if (!pulled.inProgress) return null;
  const { fromHandle, toHandle } = pulled;
  const ends = toHandle && endsOfHandles(fromHandle, toHandle);
  const from = nodeOf(document, fromHandle.nodeId);
  const port = fromHandle.id?.replace(/^(in|out) /, "");
  const kind = from && outputsAt(types, from).find(({ name }) => name === port)?.kind;
  const refusal = toHandle && (ends ? refusalOf(document, types, ends) : "An output is connected with an input.");
  return (
    <Panel position="top-center" className={`connection-hint ${refusal ? "tone-bad" : ends ? "tone-good" : ""}`}>
      <span role="status">{refusal ?? (ends ? "Let go to connect." : kind ? `${from.name} gives ${wordsOfKind(kind)}. Let go on an input, or beside it for a new node.` : "Let go on an output, or beside it for a new node.")}</span>
    </Panel>
  );
}
