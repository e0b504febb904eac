// What the changed rules would have done to past messages.
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";

import { post, type Schema } from "../api/client";
import { useRefusal } from "../api/me";
import { Button } from "../ui/button";
import { Chips } from "../ui/chips";
import { Refusal } from "../ui/feedback";
import { countText, plural } from "../ui/numbers";
import { Facts, Panel } from "../ui/page";
import { Table, type Column } from "../ui/table";
import { Time } from "../ui/time";
import { pointsText, type RuleChange, setOf } from "./words";

type Replay = Schema["SpamReplay"];
type Replayed = Schema["ReplayedMessage"];
type Difference = Replay["checks"][number];

const columns: Column<Replayed>[] = [
  { name: "Message", kind: "wide", show: ({ text, reason }) => <span className="clip" title={`${text}\n${reason}`}>{text || <span className="faint">no text</span>}</span> },
  { name: "Author", named: true, show: ({ name }) => <span className="nowrap">{name}</span> },
  { name: "Points now", kind: "number", named: true, show: ({ points_before }) => pointsText(points_before) },
  { name: "Points then", kind: "number", named: true, show: ({ points_after }) => pointsText(points_after) },
  { name: "Sent", named: true, show: ({ sent_at }) => <Time at={sent_at} age /> },
];

const checkColumns: Column<Difference>[] = [
  { name: "Check", kind: "wide", show: ({ check }) => check },
  { name: "More points", kind: "number", named: true, show: ({ more }) => countText(more) },
  { name: "Fewer points", kind: "number", named: true, show: ({ less }) => countText(less) },
  { name: "Points now", kind: "number", named: true, show: ({ points_before }) => pointsText(points_before) },
  { name: "Points then", kind: "number", named: true, show: ({ points_after }) => pointsText(points_after) },
];

function Messages({ label, count, rows }: { label: string; count: number; rows: readonly Replayed[] }) {
  if (count === 0) return null;
  return (
    <>
      <h3>{label}: {countText(count)}{count > rows.length ? `, the newest ${rows.length}` : ""}</h3>
      <Table label={label} columns={columns} rows={rows} keyOf={({ chat, message }) => `${chat} ${message}`} />
    </>
  );
}

function Checks({ rows }: { rows: readonly Difference[] }) {
  if (rows.length === 0) return <p className="soft">No check gives other points.</p>;
  return (
    <>
      <h3>Messages with other points, by check</h3>
      <Table label="Checks" columns={checkColumns} rows={rows} keyOf={({ check }) => check} />
    </>
  );
}

function Outcome({ judged, spam_before, spam_after, caught, missed, changed, is_cut, newly_caught, newly_missed, checks }: Replay) {
  return (
    <div role="status" className="check-results">
      <Facts all={[["Messages", countText(judged)], ["Spam now", countText(spam_before)], ["Spam then", countText(spam_after)], ["Caught in addition", countText(caught)], ["Missed", countText(missed)], ["Other points only", countText(changed)]]} />
      {is_cut && <p className="soft">There are more messages than one replay judges.</p>}
      <Checks rows={checks} />
      <Messages label="Caught in addition" count={caught} rows={newly_caught} />
      <Messages label="Missed" count={missed} rows={newly_missed} />
    </div>
  );
}

const spans = [{ title: "1 day", value: "1d" }, { title: "7 days", value: "7d" }, { title: "30 days", value: "30d" }];

export function ReplayPanel({ chat, changes }: { chat: string; changes: readonly RuleChange[] }) {
  const [since, setSince] = useState("7d");
  const refusal = useRefusal("POST /api/v1/spam/replay");
  const set = setOf(changes);
  const count = Object.keys(set).length;
  const run = useMutation({ mutationFn: () => post("/api/v1/spam/replay", { since, set, ...(chat && { chat: Number(chat) }) }) });
  return (
    <Panel title="On past messages" aside={<Chips label="How far back" choices={spans} value={since} onChange={(value) => setSince(value ?? "7d")} />}>
      <p className="soft">Runs the filter over stored messages twice: with the rules as they are, and with {count === 0 ? "the rules that you change above" : plural(count, "changed rule")}.</p>
      <div><Button refusal={refusal ?? (count === 0 ? "Change a rule first." : undefined)} disabled={run.isPending} onClick={() => run.mutate()}>{run.isPending ? "Replaying…" : "Replay"}</Button></div>
      {run.error !== null && <Refusal error={run.error} />}
      {run.data && <Outcome {...run.data} />}
    </Panel>
  );
}
