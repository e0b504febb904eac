import { Settle } from "../effects/settle";
import { Fold } from "../ui/fold";
import { JsonView } from "../ui/json-view";
import { Panel } from "../ui/page";
import { State } from "../ui/state";
import type { JobDetails } from "./queries";
import { wholeOf } from "./whole";

type Effect = JobDetails["effects"][number];

function Line({ job, effect, place }: { job: JobDetails; effect: Effect; place: string }) {
  const doubtful = effect.state === "unknown" || effect.flagged;
  return (
    <Fold
      className="effect"
      line="row"
      summary={
        <>
          <State name={effect.state} />
          <span className="mono">{effect.key}</span>
          <span className="faint">{effect.kind}, {effect.class.replaceAll("_", " ")}</span>
          {effect.flagged && <span className="tag tone-bad">may have happened twice</span>}
        </>
      }
    >
      <div className="stack">
        {doubtful && <Settle job={job.job_id} effect={effect.key} state={effect.state} />}
        <JsonView name="request" value={effect.request} whole={wholeOf(job, `${place}/request`)} />
        {effect.result !== null && <JsonView name="result" value={effect.result} whole={wholeOf(job, `${place}/result`)} />}
      </div>
    </Fold>
  );
}

export function Effects({ job }: { job: JobDetails }) {
  return (
    <Panel title="Effects" aside={<span className="faint">what it did outside</span>}>
      {job.effects.map((effect, index) => <Line key={effect.key} job={job} effect={effect} place={`/effects/${index}`} />)}
    </Panel>
  );
}
