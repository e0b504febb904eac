import type { Column } from "../ui/table";
import { Button } from "../ui/button";
import { List } from "../ui/list";
import { Time } from "../ui/time";
import { type FlowVersion, type Shown, useVersions } from "./queries";

interface Props {
  name: string;
  published: number | null;
  shown: Shown;
  /** Draws this version. */
  show: (version: number) => void;
  /** Compares the draft with it. */
  compare: (version: number) => void;
}

const columns = ({ published, shown, show, compare }: Props): Column<FlowVersion>[] => [
  { name: "Version", show: ({ version }) => <span className="nowrap">v{version} {version === published && <span className="tag tone-good">published</span>}</span> },
  { name: "Note", kind: "wide", show: ({ note }) => <span className="clip" title={note}>{note || "–"}</span> },
  { name: "Published", show: ({ published_at }) => <Time at={published_at} age /> },
  { name: "By", show: ({ published_by }) => <span className="soft">{published_by}</span> },
  { name: "Origin", show: ({ origin }) => <span className="soft">{origin}</span> },
  {
    name: "",
    show: ({ version }) => (
      <span className="nowrap">
        <Button kind="plain" aria-pressed={version === shown} aria-label={`Draw version ${version}`} onClick={() => show(version)}>Draw</Button>
        <Button kind="plain" aria-label={`Compare version ${version} with the draft`} onClick={() => compare(version)}>Compare</Button>
      </span>
    ),
  },
];

export function Versions(props: Props) {
  const list = useVersions(props.name);
  return <List label="Versions" list={list} columns={columns(props)} keyOf={({ version }) => version} empty="Nothing was published yet." />;
}
