// The checker: what the spam filter says of a text, and what it would say with other rules.
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";

import { post, type Schema } from "../api/client";
import { useRefusal } from "../api/me";
import { isOfMembers, mistakesOf } from "../api/problem";
import { Button } from "../ui/button";
import { Refusal } from "../ui/feedback";
import { Field } from "../ui/field";
import { useFilters } from "../ui/filters";
import { Page, Panel } from "../ui/page";
import { State } from "../ui/state";
import { Table, type Column } from "../ui/table";
import { Checks } from "./checks";
import { GroupChoice } from "./group-choice";
import "./groups.css";
import { ReplayPanel } from "./replay";
import { RuleChanges } from "./rule-changes";
import { compareChecks, type ComparedCheck, isChanged, pointsText, type RuleChange, setOf } from "./words";

type Check = Schema["SpamCheck"];

const checkText = (body: object) => post("/api/v1/spam/check", body) as Promise<Check>;

function Result({ title, check: { spam, points, threshold, reason, checks, member } }: { title: string; check: Check }) {
  return (
    <Panel title={title} aside={<State name={spam ? "failed" : "ok"} words={spam ? "spam" : "no spam"} />}>
      <p><strong>{pointsText(points)} points of {threshold}.</strong> {reason}.</p>
      {member?.approved_at && <p className="soft">The author is approved: of them, the filter checks only edits and repetitions.</p>}
      <Checks checks={checks} label={title} />
    </Panel>
  );
}

const pointsOf = (check: ComparedCheck["before"]) => (check ? pointsText(check.points) : "off");

const columns: Column<ComparedCheck>[] = [
  { name: "Check", kind: "wide", show: ({ name }) => <span className="mono">{name}</span> },
  { name: "Points now", kind: "number", named: true, show: ({ before }) => pointsOf(before) },
  { name: "Points then", kind: "number", named: true, show: ({ after }) => pointsOf(after) },
];

function Difference({ before, after }: { before: Check; after: Check }) {
  const changed = compareChecks(before.checks, after.checks).filter(isChanged);
  const becomes = before.spam === after.spam ? "The verdict stays the same." : after.spam ? "The message becomes spam." : "The message becomes no spam.";
  return (
    <Panel title="What changes">
      <p>{becomes}</p>
      {changed.length > 0 ? <Table label="Checks that change" columns={columns} rows={changed} keyOf={({ name }) => name} /> : <p className="soft">No check says anything else.</p>}
    </Panel>
  );
}

export function CheckPage() {
  const [filters, change] = useFilters(["chat"]);
  const chat = filters.chat ?? "";
  const [text, setText] = useState("");
  const [user, setUser] = useState("");
  const [changes, setChanges] = useState<RuleChange[]>([]);
  const refusal = useRefusal("POST /api/v1/spam/check");
  const run = useMutation({
    mutationFn: async () => {
      const body = { text, ...(chat && { chat: Number(chat) }), ...(user.trim() && { user: Number(user) }) };
      const set = setOf(changes);
      const tries = Object.keys(set).length > 0;
      const [before, after] = await Promise.all([checkText(body), tries ? checkText({ ...body, set }) : undefined]);
      return { before, after };
    },
  });
  const mistakes = mistakesOf(run.error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (refusal === undefined) run.mutate();
  };
  return (
    <Page title="Check a text" about="What the spam filter says of a text, and why. Nothing is stored, and nobody is told.">
      <Panel title="Text">
        <form className="check-form" onSubmit={submit}>
          <Field label="Text" mistake={mistakes.get("text")}>{(props) => <textarea className="field" rows={5} required {...props} value={text} onChange={(event) => setText(event.target.value)} />}</Field>
          <div className="halves">
            <GroupChoice value={chat} onChange={(value) => change({ chat: value || undefined })} allLabel="No group: the shared samples" />
            <Field label="Author (Telegram's number)" mistake={mistakes.get("user")} hint="For the checks of repetitions in a group.">{(props) => <input className="field" inputMode="numeric" {...props} value={user} onChange={(event) => setUser(event.target.value)} />}</Field>
          </div>
          <RuleChanges changes={changes} onChange={setChanges} mistake={mistakes.get("set")} />
          <div><Button type="submit" kind="main" refusal={refusal} disabled={run.isPending}>{run.isPending ? "Checking…" : "Check"}</Button></div>
        </form>
        {run.error !== null && !isOfMembers(run.error, ["text", "user", "set"]) && <Refusal error={run.error} />}
      </Panel>
      {run.data && (
        <div role="status" className="check-results">
          {run.data.after && <Difference before={run.data.before} after={run.data.after} />}
          <div className="halves">
            <Result title="With the rules as they are" check={run.data.before} />
            {run.data.after && <Result title="With your changes" check={run.data.after} />}
          </div>
        </div>
      )}
      <ReplayPanel chat={chat} changes={changes} />
    </Page>
  );
}
