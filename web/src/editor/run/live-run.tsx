// An execution on the canvas while it runs: only its record, on the graph of the version that ran. The draft is not read.
import { useMemo, useState } from "react";
import { Link } from "wouter";

import { FlowView } from "../../canvas/flow-view";
import { NodeInside } from "../../executions/node";
import { drawingOfRun, overlayOf } from "../../executions/overlay";
import { type ExecutionDetails, useExecution } from "../../executions/queries";
import { Button } from "../../ui/button";
import { Loaded } from "../../ui/feedback";
import { plural } from "../../ui/numbers";
import { State } from "../../ui/state";
import { TextWithTimes } from "../../ui/time";
import { durationText } from "../../ui/zone";
import { useWords } from "./use-words";

function Graph({ run: { nodes, connections }, words }: { run: ExecutionDetails; words: ReadonlyMap<string, string> }) {
  const [open, setOpen] = useState<string>();
  const drawing = useMemo(() => drawingOfRun(nodes ?? [], connections ?? []), [nodes, connections]);
  const overlay = useMemo(() => overlayOf(nodes ?? [], connections ?? []), [nodes, connections]);
  const inside = (id: string) => {
    const node = nodes?.find((each) => each.node === id);
    const written = words.get(id);
    return (
      node && (
        <>
          {written && <div className="preview"><span className="faint">The model writes</span><pre className="written-now" tabIndex={0}>{written}</pre></div>}
          <NodeInside node={node} />
        </>
      )
    );
  };
  return <FlowView label="Graph of the run" drawing={drawing} overlay={overlay} open={open} onOpen={setOpen} inside={inside} />;
}

const nameOf = ({ nodes }: ExecutionDetails, id: string) => nodes?.find(({ node }) => node === id)?.name ?? id;
const reached = ({ state }: NonNullable<ExecutionDetails["nodes"]>[number]) => state !== "not_reached" && state !== "skipped";

export function LiveRun({ job, onClose }: { job: number; onClose: () => void }) {
  const run = useExecution(job);
  const words = useWords(job);
  return (
    <section className="live-run" aria-label={`Run ${job}`}>
      <Loaded query={run}>
        {(data) => (
          <>
            <div className="editor-bar" role="status">
              <State name={data.degraded ? "degraded" : data.state} />
              <span className="faint">{plural((data.nodes ?? []).filter(reached).length, "node")} reached, {durationText(data.took_ms)}</span>
              {data.waits_for && <span className="soft"><TextWithTimes text={data.waits_for} /></span>}
              {data.error && <span className="bad">{data.error}</span>}
              <div className="row spread">
                <Link className="button" href={`/executions/${job}`}>Open execution {job}</Link>
                <Button kind="main" onClick={onClose}>Back to the draft</Button>
              </div>
            </div>
            {data.finished_at === null && [...words].map(([node, text]) => text && <p key={node} className="writes clip"><strong>{nameOf(data, node)}</strong> {text.slice(-160)}</p>)}
            {data.connections ? <Graph run={data} words={words} /> : <p className="waiting">{data.unknown_flow}</p>}
          </>
        )}
      </Loaded>
    </section>
  );
}
