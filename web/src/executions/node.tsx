// What went into and out of a node, beside the canvas and in the list of all nodes.
import { useRef } from "react";

import { NodeState } from "../canvas/node-state";
import { Fold } from "../ui/fold";
import { JsonView } from "../ui/json-view";
import { LongList } from "../ui/long-list";
import { durationText } from "../ui/zone";
import { tookOf } from "./overlay";
import type { NodeRun } from "./queries";
import { isStop } from "./stop";

/** By what it is called; what is empty is left out. */
const valuesOf = ({ outputs, input, parameters, metadata }: NodeRun) =>
  Object.entries({ output: outputs, input, parameters, notes: metadata }).filter(([, value]) => Object.keys(value).length > 0);

/** Pinned items stood for it. */
const isPinned = (node: NodeRun & { pinned?: boolean }) => node.pinned === true;

export function NodeInside({ node }: { node: NodeRun }) {
  const values = valuesOf(node);
  return (
    <div className="stack">
      {isPinned(node) && <p className="soft">Its items were pinned: it did not run.</p>}
      {values.length === 0 && !node.error && <p className="soft">Nothing went in or out of it.</p>}
      {node.error && <p className="bad">{isStop(node) ? "" : `${node.error.code}: `}{node.error.message}</p>}
      {values.map(([title, value]) => (
        <div key={title}>
          <p className="faint">{title}</p>
          <JsonView name={`${title} of ${node.name}`} value={value} />
        </div>
      ))}
    </div>
  );
}

function NodeLine({ node, opened }: { node: NodeRun; opened: Set<string> }) {
  const took = tookOf(node);
  return (
    <Fold
      className="node"
      begins={opened.has(node.node)}
      onToggle={(open) => (open ? opened.add(node.node) : opened.delete(node.node))}
      summary={
        <>
          <NodeState state={node.state} />
          <strong className="clip">{node.name}</strong>
          <span className="faint clip">{node.type}</span>
          <span className="soft spread nowrap">{took !== null && durationText(took)}</span>
        </>
      }
    >
      <NodeInside node={node} />
    </Fold>
  );
}

/** All nodes, as an outline of the graph. */
export function NodeList({ nodes }: { nodes: readonly NodeRun[] }) {
  const opened = useRef(new Set<string>());
  return (
    <LongList label="Nodes" items={nodes} keyOf={({ node }) => node} line={35}>
      {(node) => <NodeLine node={node} opened={opened.current} />}
    </LongList>
  );
}
