// A flow: the graph of one of its versions, what was published, what differs, and how it ran.
import { useMemo } from "react";
import { Link } from "wouter";

import { isAbsent } from "../api/problem";
import { drawingOf } from "../canvas/drawing";
import { FlowView } from "../canvas/flow-view";
import { Empty, Loaded } from "../ui/feedback";
import { useFilters } from "../ui/filters";
import { JsonView } from "../ui/json-view";
import { Facts, Page, Panel } from "../ui/page";
import { Time } from "../ui/time";
import { Diff } from "./diff";
import "./flows.css";
import { FlowOperations } from "./operations";
import { type Flow, type Shown, shownOf, useFlow, useVersion } from "./queries";
import { LastRuns } from "./runs";
import { Versions } from "./versions";

type Document = NonNullable<Flow["document"]>;
type WrittenNode = { id?: string; type?: string; notes?: string; parameters?: unknown };

function Graph({ document, open, onOpen }: { document: Document; open: string | undefined; onOpen: (node: string | undefined) => void }) {
  const drawing = useMemo(() => drawingOf(document), [document]);
  const written = (document as { nodes?: readonly WrittenNode[] }).nodes ?? [];
  const inside = (id: string) => {
    const node = written.find((each) => each.id === id);
    return (
      <>
        <p className="faint">{node?.type}</p>
        {node?.notes && <p>{node.notes}</p>}
        <JsonView name={`parameters of ${id}`} value={node?.parameters ?? {}} />
      </>
    );
  };
  return <FlowView label="Graph of the flow" drawing={drawing} open={open} onOpen={onOpen} inside={inside} />;
}

const titleOf = (shown: Shown) => (shown === "draft" ? "the draft" : `version ${shown}`);

function Body({ flow }: { flow: Flow }) {
  const [{ version: word, node, from, to }, change] = useFilters(["version", "node", "from", "to"]);
  const shown = shownOf(word, flow.published_version);
  const version = useVersion(flow.name, shown);
  const drawn = shown === "draft" ? { ...version, data: flow.document, error: null } : { ...version, data: version.data?.document };
  return (
    <>
      <Panel title="About" aside={<Link href={`/executions?flow=${encodeURIComponent(flow.name)}`}>All executions</Link>}>
        <Facts
          all={[
            ["Published", flow.published_version === null ? "never" : `version ${flow.published_version}`],
            ["When", flow.published_at && <Time at={flow.published_at} />],
            ["By", flow.published_by],
            ["Origin", flow.origin],
            ["Draft", flow.published_version === null || flow.changed ? <>changed <Time at={flow.updated_at} age /></> : "as published"],
            ["Archived", flow.archived_at && <Time at={flow.archived_at} />],
          ]}
        />
      </Panel>
      <Panel
        flush
        title="Graph"
        aside={
          <>
            <span className="faint">Drawn: {titleOf(shown)}</span>
            <label className="row"><input type="checkbox" className="check" checked={shown === "draft"} disabled={flow.published_version === null} title={flow.published_version === null ? "Nothing was published yet." : undefined} onChange={({ target }) => change({ version: target.checked ? "draft" : undefined, node: undefined })} />Draft</label>
          </>
        }
      >
        <Loaded query={drawn}>{(document) => <Graph key={shown} document={document} open={node} onOpen={(next) => change({ node: next })} />}</Loaded>
      </Panel>
      <Panel flush title="Versions">
        <Versions flow={flow} published={flow.published_version} shown={shown} show={(next) => change({ version: String(next), node: undefined })} compare={(next) => change({ from: String(next), to: undefined })} />
      </Panel>
      {flow.published_version !== null && <Diff flow={flow} from={from ?? String(flow.published_version)} to={to ?? "draft"} change={change} />}
      <Panel flush title="Last runs">
        <LastRuns flow={flow.name} />
      </Panel>
    </>
  );
}

export function FlowPage({ params }: { params: Record<string, string> }) {
  const name = params.name ?? "";
  const flow = useFlow(name);
  if (isAbsent(flow.error) && !flow.data) return <Page title={name}><Empty title="There is no such flow."><Link href="/flows">All flows</Link></Empty></Page>;
  return (
    <Page title={name} about={flow.data?.description} actions={flow.data && <FlowOperations flow={flow.data} />}>
      <Loaded query={flow}>{(data) => <Body flow={data} />}</Loaded>
    </Page>
  );
}
