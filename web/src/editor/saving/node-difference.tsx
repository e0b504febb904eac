import { JsonView } from "../../ui/json-view";
import type { FlowNode } from "../document/model";

function Half({ title, node }: { title: string; node: FlowNode | undefined }) {
  return (
    <div>
      <p className="faint">{title}</p>
      {node ? <JsonView name={`${title} ${node.name}`} value={node} /> : <p className="soft">It is deleted.</p>}
    </div>
  );
}

/** Both sides of a node, as JSON. */
export function NodeDifference({ mine, theirs }: { mine: FlowNode | undefined; theirs: FlowNode | undefined }) {
  return (
    <div className="halves">
      <Half title="mine" node={mine} />
      <Half title="theirs" node={theirs} />
    </div>
  );
}
