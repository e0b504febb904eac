// What differs between two versions of a flow.
import type { ReactNode } from "react";

import { Empty, Loaded } from "../ui/feedback";
import { JsonView } from "../ui/json-view";
import { Panel } from "../ui/page";
import { ChangedWords } from "./changed-words";
import { type Flow, type FlowDiff, useDiff, useVersions } from "./queries";

type Change = FlowDiff["settings"][number];
type Connection = FlowDiff["connections"]["added"][number];

const connectionText = ({ from, output, to, input, type }: Connection) => `${from} (${output}) → ${to} (${input})${type === "main" ? "" : `, ${type}`}`;

function Value({ name, value }: { name: string; value: unknown }) {
  if (value === undefined) return <p className="faint">{name}: nothing</p>;
  return (
    <div>
      <p className="faint">{name}</p>
      {typeof value === "string" ? <pre className="written" tabIndex={0} role="group" aria-label={name}>{value}</pre> : <JsonView name={name} value={value} />}
    </div>
  );
}

/** Texts are shown once, with the words that differ. */
export function Changes({ values }: { values: readonly Change[] }) {
  return (
    <ul className="stack">
      {values.map(({ path, before, after }) => (
        <li key={path}>
          <p className="mono">{path}</p>
          {typeof before === "string" && typeof after === "string" ? (
            <ChangedWords name={`words of ${path}`} before={before} after={after} />
          ) : (
            <div className="halves">
              <Value name="before" value={before} />
              <Value name="after" value={after} />
            </div>
          )}
        </li>
      ))}
    </ul>
  );
}

function Group({ title, tone, children }: { title: string; tone: string; children: ReactNode }) {
  return (
    <section className={`difference ${tone}`} aria-label={title}>
      <h3><span className="tag">{title}</span></h3>
      {children}
    </section>
  );
}

export function Differences({ nodes, connections, settings, reordered, layout_only }: FlowDiff) {
  return (
    <div className="stack">
      {layout_only && <p className="soft">Only the places of nodes in the drawing differ. Both run alike.</p>}
      {nodes.added.map(({ id, name, type }) => <Group key={id} title={`Added: ${name}`} tone="tone-good"><p className="faint">{type}</p></Group>)}
      {nodes.removed.map(({ id, name, type }) => <Group key={id} title={`Removed: ${name}`} tone="tone-bad"><p className="faint">{type}</p></Group>)}
      {nodes.changed.map(({ id, name, changes }) => <Group key={id} title={`Changed: ${name}`} tone="tone-warn"><Changes values={changes} /></Group>)}
      {connections.added.length > 0 && <Group title="Connected" tone="tone-good">{connections.added.map((each) => <p key={connectionText(each)} className="mono">{connectionText(each)}</p>)}</Group>}
      {connections.removed.length > 0 && <Group title="Disconnected" tone="tone-bad">{connections.removed.map((each) => <p key={connectionText(each)} className="mono">{connectionText(each)}</p>)}</Group>}
      {settings.length > 0 && <Group title="Settings" tone="tone-warn"><Changes values={settings} /></Group>}
      {reordered && <p className="soft">Nodes or connections have another order.</p>}
    </div>
  );
}

function Pick({ label, value, versions, onChange }: { label: string; value: string; versions: readonly string[]; onChange: (version: string) => void }) {
  return (
    <label className="row faint">
      {label}
      <select className="pick" value={value} onChange={({ target }) => onChange(target.value)}>
        {[...new Set([...versions, value])].map((version) => <option key={version} value={version}>{version === "draft" ? "the draft" : `version ${version}`}</option>)}
      </select>
    </label>
  );
}

interface Props {
  flow: Flow;
  from: string;
  to: string;
  change: (changes: { from?: string; to?: string }) => void;
}

/** Two versions, or one and the draft. */
export function Diff({ flow: { name, revision }, from, to, change }: Props) {
  const { rows = [] } = useVersions(name);
  const versions = ["draft", ...rows.map(({ version }) => String(version))];
  const diff = useDiff(name, from, to, revision);
  return (
    <Panel
      title="Differences"
      aside={
        <>
          <Pick label="From" value={from} versions={versions} onChange={(version) => change({ from: version })} />
          <Pick label="to" value={to} versions={versions} onChange={(version) => change({ to: version })} />
        </>
      }
    >
      <Loaded query={diff}>
        {(difference) => (difference.empty ? <Empty title="There is no difference." /> : <Differences {...difference} />)}
      </Loaded>
    </Panel>
  );
}
