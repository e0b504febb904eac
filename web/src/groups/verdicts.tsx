// What the spam filter decided, what was done about it, and how that is undone.
import { Link } from "wouter";

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
import { WhyDialog } from "./checks";
import { undoVerdict, useGroupName, type Verdict } from "./queries";
import { pointsText, stateOf, undoWords } from "./words";

const changes = ["spam-verdicts", "spam-members", "spam-samples", "groups"];

function Why({ verdict }: { verdict: Verdict }) {
  const show = useKeptDialog();
  return <Button title={verdict.reason} onClick={() => show((close) => <WhyDialog verdict={verdict} onClose={close} />)}>Why</Button>;
}

function Undo({ verdict }: { verdict: Verdict }) {
  const { spam, catch: caught } = verdict;
  if ((!spam && !caught) || caught?.undone_at) return null;
  return (
    <ActButton act={() => undoVerdict(verdict)} changes={changes} says="Was this no spam?" done="It is undone. The filter has learned from it." ask={<><blockquote className="said">{verdict.text || "(no text)"}</blockquote><p className="soft">{undoWords(verdict)}</p></>}>
      Undo
    </ActButton>
  );
}

function GroupName({ chat }: { chat: number }) {
  const name = useGroupName();
  return <Link className="nowrap" href={`/groups/${chat}`}>{name(chat)}</Link>;
}

const columns: Column<Verdict>[] = [
  { name: "Message", kind: "wide", show: ({ text }) => <span className="clip" title={text}>{text || <span className="faint">no text</span>}</span> },
  { name: "Author", named: true, show: ({ user, name }) => <Link className="nowrap" href={`/spam?user=${user}`}>{name ?? `User ${user}`}</Link> },
  { name: "Group", named: true, show: ({ chat }) => <GroupName chat={chat} /> },
  { name: "Points", kind: "number", named: true, show: ({ points, threshold }) => <span title={`Spam from ${threshold} on`}>{pointsText(points)}</span> },
  { name: "State", show: (verdict) => <State {...stateOf(verdict)} /> },
  { name: "Judged", named: true, show: ({ judged_at }) => <Time at={judged_at} age /> },
  { name: "", show: (verdict) => <div className="row acts"><Why verdict={verdict} /><Undo verdict={verdict} /></div> },
];

const sorts = [{ title: "Spam", value: "true" }, { title: "Passed", value: "false" }, { title: "All", value: "all" }];

export function SpamPage() {
  const [filters, change] = useFilters(["spam", "chat", "user", "since"]);
  const spam = filters.spam ?? "true";
  const { spam: _spam, ...others } = filters;
  const list = useKeyset("/api/v1/spam/verdicts", "verdicts", ["spam-verdicts"], { query: { ...others, ...(spam === "all" ? {} : { spam }) } });
  return (
    <Page
      title="Spam"
      about="Verdicts of the last 30 days, and what was done. An edited message has a verdict for each wording."
      actions={<><Link className="button" href="/spam/samples">Samples</Link><Link className="button" href="/spam/check">Check a text</Link></>}
    >
      <div className="filters">
        <Chips label="Verdict" choices={sorts} value={spam} onChange={(value) => change({ spam: value === "true" ? undefined : value })} />
        <FilterField name="chat" label="Group" value={filters.chat ?? ""} change={change} search />
        <FilterField name="user" label="Author" value={filters.user ?? ""} change={change} />
        <FilterField name="since" label="Since, such as 2h ago" value={filters.since ?? ""} change={change} />
      </div>
      <List label="Verdicts" list={list} columns={columns} keyOf={({ chat, message, judged_at, text }) => `${chat} ${message} ${judged_at} ${text}`} empty={spam === "true" ? "No spam was found." : "No message was judged."} />
    </Page>
  );
}
