import { Link } from "wouter";

import { post, type Schema } from "../api/client";
import { ActButton } from "../ui/act-button";
import { Chips, choicesOf } from "../ui/chips";
import { Empty, Loaded } from "../ui/feedback";
import { useFilters } from "../ui/filters";
import { LaneName } from "../ui/lane-name";
import { More, useKeyset } from "../ui/keyset-list";
import { Page } from "../ui/page";
import { State } from "../ui/state";
import { Time } from "../ui/time";
import { Arguments, Call } from "./call";

type Approval = Schema["Approval"];
const states = ["waiting", "approved", "rejected", "expired", "withdrawn", "all"] as const;

const decide = (id: string, word: "approve" | "reject") => () => post(`/api/v1/approvals/{id}/${word}` as "/api/v1/approvals/{id}/approve", {}, { params: { id } });
const changes = ["approvals", "attention"];

function Decide({ approval }: { approval: Approval }) {
  const { approval_id, tool } = approval;
  return (
    <div className="row">
      <ActButton main change="POST /api/v1/approvals/{id}/approve" act={decide(approval_id, "approve")} changes={changes} says={`Approve ${tool}?`} done={`${tool} is approved. The turn continues.`} ask={<Call approval={approval} />}>
        Approve
      </ActButton>
      <ActButton danger change="POST /api/v1/approvals/{id}/reject" act={decide(approval_id, "reject")} changes={changes} says={`Reject ${tool}?`} done={`${tool} is rejected.`} ask={<><Call approval={approval} /><p className="soft">The agent learns that you refused, and continues without the call. This cannot be undone.</p></>}>
        Reject
      </ActButton>
    </div>
  );
}

function Card({ approval }: { approval: Approval }) {
  const waits = approval.state === "waiting";
  return (
    <li className="panel approval">
      <div className="row">
        <strong className="mono">{approval.tool}</strong>
        <State name={approval.state} />
        <span className="faint spread">{waits ? <>expires <Time at={approval.expires_at} age /></> : <Time at={approval.decided_at ?? approval.created_at} />}</span>
      </div>
      <p className="soft">
        <Link href={`/jobs/${approval.job_id}`}>Job {approval.job_id}</Link> · <LaneName name={approval.lane_name} /> · asked <Time at={approval.created_at} age /> for user {String(approval.requester)}
        {approval.decided_via && <> · decided {approval.decided_by ? `by user ${String(approval.decided_by)} ` : ""}via {approval.decided_via}</>}
      </p>
      <Arguments approval={approval} />
      {waits && <Decide approval={approval} />}
    </li>
  );
}

export function ApprovalsPage() {
  const [filters, change] = useFilters(["state"]);
  const state = filters.state ?? "waiting";
  const list = useKeyset("/api/v1/approvals", "approvals", ["approvals"], { query: { state } });
  return (
    <Page title="Approvals" about="Calls of tools with a high risk wait here until a person decides.">
      <div className="filters">
        <Chips label="States" choices={choicesOf(states)} value={state} onChange={(next) => change({ state: next === "waiting" ? undefined : next })} />
      </div>
      <Loaded query={{ ...list, data: list.rows }}>
        {(rows) =>
          rows.length === 0 ? (
            <Empty title={state === "waiting" ? "No call waits for a decision." : "There are none."} />
          ) : (
            <>
              <ul className="approvals">{rows.map((approval) => <Card key={approval.approval_id} approval={approval} />)}</ul>
              <More list={list} />
            </>
          )
        }
      </Loaded>
    </Page>
  );
}
