// What went into and out of the node in the flow's last execution.
import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";

import { get } from "../../api/client";
import { NodeInside } from "../../executions/node";
import { useExecution } from "../../executions/queries";
import { Empty, Loaded } from "../../ui/feedback";
import { Time } from "../../ui/time";
import { useDesk } from "../desk";
import type { FlowNode } from "../document/model";
import { Pin, PinnedItems } from "./pinned";

function Inside({ id, node }: { id: number; node: FlowNode }) {
  return (
    <Loaded query={useExecution(id)}>
      {(run) => {
        const own = run.nodes?.find((each) => each.node === node.id);
        return (
          <div className="stack">
            <p className="faint"><Link href={`/executions/${id}?node=${encodeURIComponent(node.id)}`}>Execution {id}</Link>, <Time at={run.created_at} age /></p>
            {own && <Pin node={node} outputs={own.outputs} />}
            {own ? <NodeInside node={own} /> : <p className="soft">That execution had no such node.</p>}
          </div>
        );
      }}
    </Loaded>
  );
}

export function LastRun({ node }: { node: FlowNode }) {
  const { session } = useDesk();
  const last = useQuery({ queryKey: ["executions", "last", session.name], queryFn: ({ signal }) => get("/api/v1/executions", { query: { flow: session.name, limit: 1 }, signal }) });
  return (
    <div className="stack">
      <PinnedItems node={node} />
      <Loaded query={last}>
        {({ executions }) => (executions[0] ? <Inside id={executions[0].job_id} node={node} /> : <Empty title="The flow has not run yet.">Run the draft, and its data is here.</Empty>)}
      </Loaded>
    </div>
  );
}
