import { Link } from "wouter";

import { JsonView } from "../ui/json-view";
import { costText, tokensText } from "../ui/numbers";
import { State } from "../ui/state";
import { TextWithTimes, Time } from "../ui/time";
import { durationText } from "../ui/zone";
import { calledTools, type Job, type LaneMessage, mediaOf, speakerOf, type Turn } from "./turns";

const deliveries = { pending: "waiting", sent: "done", failed: "failed", unknown: "unknown" };
const words = { pending: "being sent", sent: "delivered", failed: "not delivered", unknown: "may be delivered" };

function Words({ message }: { message: LaneMessage }) {
  const calls = calledTools(message);
  const media = mediaOf(message);
  if (message.role === "tool")
    return (
      <details>
        <summary className="soft clip">{message.content || "no result"}</summary>
        <JsonView name={`arguments of ${message.tool}`} value={message.arguments ?? {}} />
        <pre className="result">{message.content}</pre>
      </details>
    );
  return (
    <>
      {media && <span className="tag">{media}</span>}
      {message.content && <p className={message.removed ? "faint" : ""}>{message.content}{message.removed && " (deleted in its conversation)"}</p>}
      {calls.length > 0 && <p className="soft">calls <span className="mono">{calls.join(", ")}</span></p>}
    </>
  );
}

function Line({ message }: { message: LaneMessage }) {
  return (
    <li className={`said-line ${message.role}`}>
      <div className="who">
        <strong className="clip">{speakerOf(message)}</strong>
        <span className="faint"><Time at={message.sent_at ?? message.created_at} /></span>
      </div>
      <div className="words"><Words message={message} /></div>
      <div className="row">{message.delivery && <State name={deliveries[message.delivery]} words={words[message.delivery]} />}</div>
    </li>
  );
}

function Outcome({ row }: { row: Job }) {
  return (
    <>
      <State name={row.degraded ? "degraded" : row.state} />
      {row.waits_for && <span className="soft"><TextWithTimes text={row.waits_for} /></span>}
      {row.asked && <span className="soft">{row.asked} is asked</span>}
      {row.error && <span className="bad clip" title={row.error}>{row.error}</span>}
      {row.degraded_reason && <span className="soft">{row.degraded_reason}</span>}
      <span className="faint spread nowrap">
        {[row.tokens_in === null ? "" : `${tokensText(row.tokens_in)} in, ${tokensText(row.tokens_out)} out`, row.cost === null ? "" : costText(row.cost), durationText(row.took_ms)].filter(Boolean).join(" · ")}
      </span>
    </>
  );
}

export function TurnView({ turn: { job, messages, row } }: { turn: Turn }) {
  return (
    <section className="panel" aria-label={`Turn of job ${job}`}>
      <header className="row">
        <Link href={`/jobs/${job}`} className="mono">{job}</Link>
        {row && <Outcome row={row} />}
      </header>
      {messages.length > 0 ? (
        <ol className="said-lines">{messages.map((message) => <Line key={message.id} message={message} />)}</ol>
      ) : (
        <p className="soft body">{row?.said || `A job of the kind ${row?.kind}; nothing was said.`}</p>
      )}
    </section>
  );
}
