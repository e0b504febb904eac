import { useMemo, useRef } from "react";

import { Button } from "../ui/button";
import { Fold } from "../ui/fold";
import { JsonView } from "../ui/json-view";
import { LongList } from "../ui/long-list";
import { costText, tokensText } from "../ui/numbers";
import { Facts } from "../ui/page";
import { State, toneOf } from "../ui/state";
import { durationText } from "../ui/zone";
import type { JobDetails } from "./queries";
import { type Bar, marksOf, waterfallOf } from "./waterfall";
import "./waterfall.css";

interface Restarting {
  /** Undefined where the job's state does not allow it. */
  restart: ((key: string) => void) | undefined;
  fork: ((key: string) => void) | undefined;
}

const percent = (part: number, total: number) => `${Math.min(100, (part / total) * 100)}%`;
const toneOfBar = (bar: Bar) => (bar.kind === "wait" ? "tone-warn" : bar.outcome === "done" ? "tone-busy" : toneOf(bar.outcome));

function StepInside({ bar, restart, fork }: { bar: Bar } & Restarting) {
  const { step } = bar;
  if (!step) return <p className="soft">{bar.label}{bar.note && `; ${bar.note}`}</p>;
  return (
    <>
      <Facts
        all={[
          ["Outcome", <State name={step.outcome} />],
          ["Try", step.attempt],
          ["Began after", durationText(step.begins_ms)],
          ["Model", step.model],
          ["Tokens in", step.tokens_in === null ? null : tokensText(step.tokens_in)],
          ["Tokens out", step.tokens_out === null ? null : tokensText(step.tokens_out)],
          ["Cached", step.tokens_cached ? tokensText(step.tokens_cached) : null],
          ["Cost", step.cost === null ? null : costText(step.cost)],
          ["Error class", step.error_class],
        ]}
      />
      {step.error && <p className="bad">{step.error}</p>}
      {step.result !== null && step.result !== undefined && <JsonView name={`result of ${step.key}`} value={step.result} whole={bar.whole} />}
      {bar.last && (restart || fork) && (
        <div className="row">
          {restart && <Button onClick={() => restart(step.key)}>Restart from here</Button>}
          {fork && <Button onClick={() => fork(step.key)}>Fork from here</Button>}
        </div>
      )}
    </>
  );
}

function Line({ bar, total, opened, ...acts }: { bar: Bar; total: number; opened: Set<string> } & Restarting) {
  const { step } = bar;
  return (
    <Fold
      className={bar.kind}
      begins={opened.has(bar.id)}
      onToggle={(open) => (open ? opened.add(bar.id) : opened.delete(bar.id))}
      summary={
        <>
          <span className="clip" title={bar.label}>
            {bar.label}
            {step?.model && <span className="faint"> {step.model}</span>}
            {bar.note && <span className={bar.kind === "step" ? "bad" : "faint"}> · {bar.note}</span>}
          </span>
          <span className="track">
            <span className={`span ${toneOfBar(bar)}`} style={{ left: `min(${percent(bar.begins, total)}, calc(100% - 3px))`, width: percent(bar.took, total) }} />
          </span>
          <span className="took">{durationText(bar.took)}</span>
        </>
      }
    >
      <div className="inside"><StepInside bar={bar} {...acts} /></div>
    </Fold>
  );
}

export function WaterfallView({ job, ...acts }: { job: JobDetails } & Restarting) {
  const { bars, total } = useMemo(() => waterfallOf(job), [job]);
  const opened = useRef(new Set<string>());
  const marks = useMemo(() => marksOf(total), [total]);
  if (bars.length === 0) return <p className="waiting">It has not run a step yet.</p>;
  return (
    <div className="waterfall">
      <div className="axis" aria-hidden="true">
        <span>Step or wait</span>
        <span className="marks">
          {marks.map((at) => <span key={at} style={{ left: percent(at, total) }}>{at === 0 ? "0" : durationText(at)}</span>)}
        </span>
        <span className="took">took</span>
      </div>
      <LongList label="Steps and waits" items={bars} keyOf={({ id }) => id} line={31}>
        {(bar) => <Line bar={bar} total={total} opened={opened.current} {...acts} />}
      </LongList>
    </div>
  );
}
