// What the spam filter has learned. A training is undone exactly.
import { remove } from "../api/client";
import { useRefusal } from "../api/me";
import { ActButton } from "../ui/act-button";
import { Button } from "../ui/button";
import { Chips } from "../ui/chips";
import { FilterField } from "../ui/filter-field";
import { useFilters } from "../ui/filters";
import { useKeptDialog } from "../ui/kept-dialog";
import { useKeyset } from "../ui/keyset-list";
import { List } from "../ui/list";
import { Page } from "../ui/page";
import { State } from "../ui/state";
import type { Column } from "../ui/table";
import { Time } from "../ui/time";
import { type Sample, useGroupName } from "./queries";
import { TrainDialog } from "./train";

const kindWords: Record<Sample["kind"], { name: string; words: string }> = {
  spam: { name: "failed", words: "spam" },
  ham: { name: "ok", words: "no spam" },
  stop_word: { name: "warning", words: "stop word" },
};

function Withdraw({ sample: { id, text, withdrawn_at } }: { sample: Sample }) {
  if (withdrawn_at) return <span className="faint nowrap">withdrawn <Time at={withdrawn_at} age /></span>;
  return (
    <ActButton danger act={() => remove("/api/v1/spam/samples/{id}", { params: { id } })} changes={["spam-samples"]} says={`Withdraw sample ${id}?`} done="The sample is withdrawn." ask={<><blockquote className="said">{text}</blockquote><p className="soft">The filter is then as if it had never seen it.</p></>}>
      Withdraw
    </ActButton>
  );
}

function Of({ chat }: { chat: number }) {
  const name = useGroupName();
  return <span className="soft nowrap">{chat === 0 ? "all groups" : name(chat)}</span>;
}

const columns: Column<Sample>[] = [
  { name: "Text", kind: "wide", show: ({ text }) => <span className="clip" title={text}>{text || <span className="faint">erased</span>}</span> },
  { name: "Kind", show: ({ kind }) => <State {...kindWords[kind]} /> },
  { name: "For", named: true, show: ({ chat }) => <Of chat={chat} /> },
  { name: "Origin", named: true, show: ({ origin }) => <span className="soft">{origin}</span> },
  { name: "By", named: true, show: ({ trained_by }) => <span className="soft">{trained_by}</span> },
  { name: "Learned", named: true, show: ({ created_at }) => <Time at={created_at} age /> },
  { name: "", show: (sample) => <Withdraw sample={sample} /> },
];

const kinds = [{ title: "All", value: undefined }, { title: "Spam", value: "spam" }, { title: "No spam", value: "ham" }, { title: "Stop words", value: "stop_word" }];

export function SamplesPage() {
  const [filters, change] = useFilters(["kind", "chat", "withdrawn"]);
  const list = useKeyset("/api/v1/spam/samples", "samples", ["spam-samples"], { query: filters });
  const show = useKeptDialog();
  const refusal = useRefusal();
  return (
    <Page
      title="Samples"
      about="What the spam filter has learned in addition to the samples that come with it."
      actions={<Button kind="main" refusal={refusal} onClick={() => show((close) => <TrainDialog onClose={close} />)}>Train</Button>}
    >
      <div className="filters">
        <Chips label="Kind" choices={kinds} value={filters.kind} onChange={(kind) => change({ kind })} />
        <FilterField name="chat" label="Group (0: shared)" value={filters.chat ?? ""} change={change} search />
        <Button aria-pressed={filters.withdrawn === "true"} onClick={() => change({ withdrawn: filters.withdrawn === "true" ? undefined : "true" })}>With withdrawn</Button>
      </div>
      <List label="Samples" list={list} columns={columns} keyOf={({ id }) => id} empty="The filter has learned nothing yet. It knows the samples that come with it." />
    </Page>
  );
}
