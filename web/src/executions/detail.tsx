import { useMemo } from "react";
import { Link } from "wouter";

import { idOf } from "../api/live";
import { isAbsent } from "../api/problem";
import { FlowView } from "../canvas/flow-view";
import { Empty, Loaded } from "../ui/feedback";
import { useFilters } from "../ui/filters";
import { LaneName } from "../ui/lane-name";
import { costText, tokensText, versionText } from "../ui/numbers";
import { Facts, Page, Panel } from "../ui/page";
import { State } from "../ui/state";
import { TextWithTimes, Time } from "../ui/time";
import { durationText } from "../ui/zone";
import "./executions.css";
import { FailureNote } from "./failure-note";
import { NodeInside, NodeList } from "./node";
import { drawingOfRun, overlayOf } from "./overlay";
import { type ExecutionDetails, type NodeRun, useExecution } from "./queries";
import { stopOf } from "./stop";
import { ReplayButton } from "./replay";
import { Comparison, TryButton } from "./trial";

const reached = ({ state }: NodeRun) => state !== "not_reached" && state !== "skipped";

const agentsOf = (run: ExecutionDetails | undefined) => run?.nodes?.filter((node) => node.type === "agent" && reached(node)) ?? [];

/** It tries a past turn again, to compare them. */
const isTrialOfTurn = ({ input }: ExecutionDetails) => typeof input === "object" && input !== null && "trial" in input;

/** The graph of the version that ran. Which node is open stands in the address. */
function Graph({ nodes, connections }: { nodes: readonly NodeRun[]; connections: NonNullable<ExecutionDetails["connections"]> }) {
  const [{ node: open }, change] = useFilters(["node"]);
  const drawing = useMemo(() => drawingOfRun(nodes, connections), [nodes, connections]);
  const overlay = useMemo(() => overlayOf(nodes, connections), [nodes, connections]);
  const inside = (id: string) => {
    const node = nodes.find((each) => each.node === id);
    return node && <NodeInside node={node} />;
  };
  return <FlowView label="Graph of the execution" drawing={drawing} overlay={overlay} open={open} onOpen={(node) => change({ node })} inside={inside} />;
}

function Body({ run }: { run: ExecutionDetails }) {
  const nodes = run.nodes ?? [];
  return (
    <>
      {isTrialOfTurn(run) && <Comparison job={run.job_id} state={run.state} />}
      <FailureNote run={run} stop={run.state === "failed" ? stopOf(nodes) : undefined} />
      {run.waits_for && <div className="why tone-warn" role="note"><strong>Why it waits</strong><p><TextWithTimes text={run.waits_for} /></p></div>}
      <Panel title="About" aside={<Link href={`/jobs/${run.job_id}`}>Steps and operations</Link>}>
        {run.said && <blockquote className="said">{run.said}</blockquote>}
        <Facts
          all={[
            ["Flow", <Link href={`/flows/${encodeURIComponent(run.flow)}`}>{run.flow}</Link>],
            ["Version", versionText(run.version, run.trial)],
            ["Trigger", run.trigger],
            ["Lane", <LaneName name={run.lane_name} />],
            ["Created", <Time at={run.created_at} />],
            ["Took", durationText(run.took_ms)],
            ["Tokens", run.tokens_in === null ? null : `${tokensText(run.tokens_in)} in, ${tokensText(run.tokens_out)} out`],
            ["Cost", run.cost === null ? null : costText(run.cost)],
          ]}
        />
      </Panel>
      {run.connections && (
        <Panel flush title="Graph" aside={<span className="faint">{nodes.filter(reached).length} of {nodes.length} nodes reached</span>}>
          <Graph nodes={nodes} connections={run.connections} />
        </Panel>
      )}
      <Panel flush title="Nodes" aside={<span className="faint">in the order of the flow</span>}>
        {run.unknown_flow && <p className="waiting">{run.unknown_flow}</p>}
        <NodeList nodes={nodes} />
      </Panel>
    </>
  );
}

export function ExecutionPage({ params }: { params: Record<string, string> }) {
  const id = idOf(params.id);
  const run = useExecution(id);
  const title = `Execution ${params.id}`;
  if (id === undefined || (isAbsent(run.error) && !run.data)) return <Page title={title}><Empty title="There is no such execution."><Link href="/executions">All executions</Link></Empty></Page>;
  return (
    <Page title={title} actions={<><TryButton job={Number(params.id)} agents={agentsOf(run.data)} /><ReplayButton job={Number(params.id)} /></>} about={run.data && <span className="row">{run.data.stopped ? <State name="cancelled" words="stopped" /> : <State name={run.data.degraded ? "degraded" : run.data.state} />}{run.data.flow}</span>}>
      <Loaded query={run}>{(data) => <Body run={data} />}</Loaded>
    </Page>
  );
}
