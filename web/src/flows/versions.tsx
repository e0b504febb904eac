import { useState } from "react";

import { useRefusal } from "../api/me";
import type { Column } from "../ui/table";
import { Button } from "../ui/button";
import { List } from "../ui/list";
import { Time } from "../ui/time";
import { type Flow, type FlowVersion, type Shown, useVersions } from "./queries";
import { RollBack } from "./roll-back";

interface Props {
  flow: Flow;
  published: number | null;
  shown: Shown;
  /** Draws this version. */
  show: (version: number) => void;
  /** Compares the draft with it. */
  compare: (version: number) => void;
}

const columns = ({ flow: { archived_at }, published, shown, show, compare, refusal, rollBack }: Props & { refusal: string | undefined; rollBack: (version: number) => void }): Column<FlowVersion>[] => [
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
        {version !== published && archived_at === null && <Button kind="plain" refusal={refusal} aria-label={`Roll back to version ${version}`} onClick={() => rollBack(version)}>Roll back</Button>}
      </span>
    ),
  },
];

export function Versions(props: Props) {
  const list = useVersions(props.flow.name);
  const refusal = useRefusal();
  const [asked, setAsked] = useState<number>();
  const table = <List label="Versions" list={list} columns={columns({ ...props, refusal, rollBack: setAsked })} keyOf={({ version }) => version} empty="Nothing was published yet." />;
  return (
    <>
      {table}
      {asked !== undefined && <RollBack flow={props.flow} version={asked} onClose={() => setAsked(undefined)} />}
    </>
  );
}
