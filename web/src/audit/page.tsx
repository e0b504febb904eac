import { useMutation } from "@tanstack/react-query";
import { Link } from "wouter";

import { get, type Schema } from "../api/client";
import { printJson } from "../api/json";
import { wordsOf } from "../api/problem";
import { Button } from "../ui/button";
import { FilterField } from "../ui/filter-field";
import { useFilters } from "../ui/filters";
import { useKeyset } from "../ui/keyset-list";
import { List } from "../ui/list";
import { plural } from "../ui/numbers";
import { Page } from "../ui/page";
import type { Column } from "../ui/table";
import { Time } from "../ui/time";
import { useClosed } from "../ui/use-closed";
import { Erase } from "./erase-dialog";
import { Export } from "./export";

type Entry = Schema["AuditEntry"];

const columns: Column<Entry>[] = [
  { name: "When", show: ({ created_at }) => <Time at={created_at} /> },
  { name: "Kind", show: ({ kind }) => <span className="nowrap">{kind.replaceAll("_", " ")}</span> },
  { name: "Person", show: ({ actor }) => <span className="nowrap">{actor}</span> },
  { name: "Subject", show: ({ subject }) => <span className="mono">{subject}</span> },
  { name: "Detail", kind: "wide", show: ({ detail }) => <span className="clip mono soft" title={printJson(detail)}>{printJson(detail)}</span> },
  { name: "Job", kind: "number", named: true, show: ({ job_id }) => job_id && <Link href={`/jobs/${job_id}`}>{job_id}</Link> },
];

/** Page after page, until it is stopped. */
async function verify(stopped: () => boolean) {
  const sum = { chains: 0, links: 0, broken: 0, cut: 0 };
  for (let cursor: string | undefined; ; ) {
    const page = await get("/api/v1/audit/verify", cursor === undefined ? {} : { query: { cursor } });
    sum.chains += page.chains;
    sum.links += page.links;
    sum.broken += page.broken_chains;
    sum.cut += page.cut;
    if (!page.next || stopped()) return sum;
    cursor = page.next;
  }
}

function Verdict() {
  const closed = useClosed();
  const check = useMutation({ mutationFn: () => verify(() => closed.current) });
  const bad = check.data && (check.data.broken > 0 || check.data.cut > 0);
  return (
    <>
      {check.data && (
        <span className={`tag ${bad ? "tone-bad" : "tone-good"}`} role="status">
          {bad ? `${plural(check.data.broken, "broken chain")}, ${plural(check.data.cut, "missing row")}` : `Unchanged: ${plural(check.data.links, "link")} in ${plural(check.data.chains, "chain")}`}
        </span>
      )}
      {check.error && <span className="bad" role="alert">{wordsOf(check.error)}</span>}
      <Button disabled={check.isPending} title="Checks that no row of the audit was changed or removed." onClick={() => check.mutate()}>{check.isPending ? "Checking…" : "Verify"}</Button>
    </>
  );
}

export function AuditPage() {
  const [filters, change] = useFilters(["kind", "actor", "job"]);
  const list = useKeyset("/api/v1/audit", "entries", ["audit"], { query: filters });
  return (
    <Page title="Audit" about="Actions and the person behind each. Each row is chained to the row before it." actions={<><Verdict /><Export /><Erase /></>}>
      <div className="filters">
        <FilterField name="kind" label="Kind, such as tool_call" value={filters.kind ?? ""} change={change} search />
        <FilterField name="actor" label="Person, such as user:1000" value={filters.actor ?? ""} change={change} />
        <FilterField name="job" label="Job" value={filters.job ?? ""} change={change} />
      </div>
      <List label="Audit" list={list} columns={columns} keyOf={({ lane_id, number }) => `${lane_id}/${number}`} empty="No action matches." />
    </Page>
  );
}
