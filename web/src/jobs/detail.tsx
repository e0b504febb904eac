import { useState } from "react";
import { Link } from "wouter";

import { idOf } from "../api/live";
import { isAbsent } from "../api/problem";
import { useRefusal } from "../api/me";
import { FailureNote } from "../executions/failure-note";
import { Empty, Loaded } from "../ui/feedback";
import { JsonView } from "../ui/json-view";
import { LaneName } from "../ui/lane-name";
import { costText, countText, tokensText } from "../ui/numbers";
import { Facts, Page, Panel } from "../ui/page";
import { State } from "../ui/state";
import { TextWithTimes, Time } from "../ui/time";
import { durationText } from "../ui/zone";
import { Effects } from "./effects";
import { Ask, forkAct, Operations, restartAct } from "./operations";
import "./jobs.css";
import { isOver, type JobDetails, useJob, useStop } from "./queries";
import { WaterfallView } from "./waterfall-view";
import { wholeOf } from "./whole";

function Why({ job }: { job: JobDetails }) {
  const stop = useStop(job);
  if (job.error) return <FailureNote run={job} stop={stop} />;
  if (job.waits_for)
    return (
      <div className="why tone-warn" role="note">
        <strong>Why it waits</strong>
        <p><TextWithTimes text={job.waits_for} />{job.due_at && <> · due <Time at={job.due_at} age /></>}</p>
      </div>
    );
  if (job.degraded)
    return (
      <div className="why tone-warn" role="note">
        <strong>It completed without the requested result</strong>
        <p>{job.degraded_reason}</p>
      </div>
    );
  return null;
}

function About({ job }: { job: JobDetails }) {
  return (
    <Panel title="About">
      {job.said && <blockquote className="said">{job.said}{job.said_by?.name && <cite>{job.said_by.name}</cite>}</blockquote>}
      <Facts
        all={[
          ["Lane", <Link href={`/jobs?lane=${encodeURIComponent(job.lane)}`}><LaneName name={job.lane_name} /></Link>],
          ["Kind", job.kind],
          ["Created", <Time at={job.created_at} />],
          ["Started", job.started_at && <Time at={job.started_at} />],
          ["Finished", job.finished_at && <Time at={job.finished_at} />],
          ["Deadline", job.deadline_at && <Time at={job.deadline_at} />],
          ["Took", durationText(job.took_ms)],
          ["Runs", job.lost ? `${job.runs}, ${job.lost} lost with their process` : job.runs],
          ["Restarts", job.restarts || null],
          ["Tokens", job.tokens_in === null ? null : `${tokensText(job.tokens_in)} in, ${tokensText(job.tokens_out)} out`],
          ["Cost", job.cost === null ? null : costText(job.cost)],
          ["Forked from", job.forked_from && <Link href={`/jobs/${job.forked_from}`}>job {job.forked_from}</Link>],
          ["Request", job.asked && `${job.asked} is asked of its worker`],
        ]}
      />
    </Panel>
  );
}

function Details({ job }: { job: JobDetails }) {
  const refusal = useRefusal();
  const [step, setStep] = useState<{ key: string; fork: boolean }>();
  const free = !refusal && isOver(job.state);
  return (
    <>
      <Why job={job} />
      <About job={job} />
      <Panel flush title="What happened" aside={<span className="faint">{job.steps.length === 1 ? "1 try of a step" : `${countText(job.steps.length)} tries of steps`}</span>}>
        <WaterfallView
          job={job}
          restart={free ? (key) => setStep({ key, fork: false }) : undefined}
          fork={free ? (key) => setStep({ key, fork: true }) : undefined}
        />
      </Panel>
      {step && <Ask job={job} act={step.fork ? forkAct : restartAct} step={step.key} onClose={() => setStep(undefined)} />}
      {job.effects.length > 0 && <Effects job={job} />}
      <div className="halves">
        <Panel title="Input"><JsonView name="input" value={job.input} whole={wholeOf(job, "/input")} /></Panel>
        <Panel title="Output"><JsonView name="output" value={job.output} whole={wholeOf(job, "/output")} /></Panel>
      </div>
    </>
  );
}

export function JobPage({ params }: { params: Record<string, string> }) {
  const id = idOf(params.id);
  const job = useJob(id);
  const { data } = job;
  if (id === undefined || (isAbsent(job.error) && !data)) return <Page title={`Job ${params.id}`}><Empty title="There is no such job."><Link href="/jobs">All jobs</Link></Empty></Page>;
  return (
    <Page
      title={`Job ${params.id}`}
      about={data && <span className="row"><State name={data.degraded ? "degraded" : data.state} /><LaneName name={data.lane_name} /></span>}
      actions={data && <Operations job={data} />}
    >
      <Loaded query={job}>{(details) => <Details job={details} />}</Loaded>
    </Page>
  );
}
