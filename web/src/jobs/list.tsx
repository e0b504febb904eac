import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { Link } from "wouter";

import { newJobsKey } from "../api/live";
import { Button } from "../ui/button";
import { Empty, Loaded } from "../ui/feedback";
import { type Filters, searchOf, useFilters } from "../ui/filters";
import { LaneName } from "../ui/lane-name";
import { More } from "../ui/keyset-list";
import { costText, plural } from "../ui/numbers";
import { Page } from "../ui/page";
import { State } from "../ui/state";
import { type Column, Table } from "../ui/table";
import { TextWithTimes, Time } from "../ui/time";
import { durationText } from "../ui/zone";
import { BulkBar } from "./bulk";
import { type Selection, selectedIn } from "./bulk-act";
import { FilterBar } from "./filter-bar";
import { jobFilters } from "./filters";
import "./jobs.css";
import { type Job, useJobs } from "./queries";

function Words({ job }: { job: Job }) {
  const trouble = job.error ?? job.waits_for ?? (job.degraded_reason ? `without the wanted result: ${job.degraded_reason}` : null);
  return (
    <span className="clip">
      <Link href={`/jobs/${job.job_id}`}>{job.said || job.kind}</Link>
      {trouble && <span className={job.error ? "bad" : "soft"}> · <TextWithTimes text={trouble} /></span>}
    </span>
  );
}

const columns = (picked: ReadonlySet<number>, pick: (id: number) => void): Column<Job>[] => [
  {
    name: "Select",
    show: ({ job_id }) => (
      <input type="checkbox" className="check" aria-label={`Select job ${job_id}`} checked={picked.has(job_id)} onChange={() => pick(job_id)} />
    ),
  },
  { name: "Job", show: ({ job_id }) => <Link href={`/jobs/${job_id}`} className="mono">{job_id}</Link> },
  { name: "State", show: ({ state, degraded }) => <State name={degraded ? "degraded" : state} /> },
  { name: "What", kind: "wide", show: (job) => <Words job={job} /> },
  { name: "Lane", show: ({ lane, lane_name }) => <Link href={`/jobs?lane=${encodeURIComponent(lane)}`} className="soft"><LaneName name={lane_name} /></Link> },
  { name: "Runs", kind: "number", named: true, show: ({ runs }) => (runs > 1 ? runs : "") },
  { name: "Cost", kind: "number", show: ({ cost }) => (cost === null ? "" : costText(cost)) },
  { name: "Took", kind: "number", show: ({ took_ms }) => durationText(took_ms) },
  { name: "Created", kind: "number", show: ({ created_at }) => <Time at={created_at} age /> },
];

/** New jobs wait behind a button, so that no row moves under a click. */
function NewRows({ filters, again }: { filters: Filters; again: () => void }) {
  const cache = useQueryClient();
  useEffect(() => void cache.setQueryData(newJobsKey, []), [cache, filters]);
  const { data: ids = [] } = useQuery<number[]>({ queryKey: newJobsKey, queryFn: () => [], initialData: [], staleTime: Infinity });
  if (ids.length === 0) return null;
  const show = () => {
    cache.setQueryData(newJobsKey, []);
    again();
  };
  return <Button className="new-rows" onClick={show}>{ids.length} new</Button>;
}

export function JobsPage() {
  const [filters, change] = useFilters(jobFilters);
  const listed = searchOf(filters);
  const [selection, setSelection] = useState<Selection>({ of: listed, ids: new Set() });
  const picked = selectedIn(selection, listed);
  const list = useJobs(filters);
  const pick = (id: number) =>
    setSelection((old) => {
      const ids = new Set(selectedIn(old, listed));
      if (!ids.delete(id)) ids.add(id);
      return { of: listed, ids };
    });
  return (
    <Page title="Jobs" actions={<NewRows filters={filters} again={() => void list.refetch()} />}>
      <FilterBar filters={filters} change={change} />
      <BulkBar filters={filters} picked={picked} onDone={(left) => setSelection({ of: listed, ids: new Set(left) })} />
      <Loaded query={{ ...list, data: list.rows }}>
        {(rows) =>
          rows.length === 0 ? (
            <Empty title="No job matches.">{Object.keys(filters).length > 0 && <Link href="/jobs">Show all jobs</Link>}</Empty>
          ) : (
            <>
              <Table label="Jobs" columns={columns(picked, pick)} rows={rows} keyOf={({ job_id }) => job_id} selected={({ job_id }) => picked.has(job_id)} />
              <p className="faint">{plural(rows.length, "job")} shown{list.hasNextPage ? "; there are more" : ""}.</p>
              <More list={list} />
            </>
          )
        }
      </Loaded>
    </Page>
  );
}
