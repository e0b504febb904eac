// A past turn of an agent with another model or prompt, and both turns next to each other.
import { keepPreviousData, useMutation, useQuery } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { Link, useLocation } from "wouter";

import { get, post, type Schema } from "../api/client";
import { type Intention, intentionOf, onceBy } from "../api/intention";
import { useRefusal } from "../api/me";
import { Button } from "../ui/button";
import { Dialog } from "../ui/dialog";
import { Loaded } from "../ui/feedback";
import { Field } from "../ui/field";
import { JsonView } from "../ui/json-view";
import { costText, tokensText } from "../ui/numbers";
import { Facts, Panel } from "../ui/page";
import { State } from "../ui/state";

type Turn = Schema["ComparedTurn"];
type Call = Turn["calls"][number];

function CallRow({ call }: { call: Call }) {
  return (
    <li className="stack">
      <span className="row"><span className="mono">{call.tool}</span>{call.recorded && <span className="faint">recorded result</span>}</span>
      <JsonView name={`arguments of ${call.tool}`} value={call.arguments} />
      {call.error !== null ? <p className="bad">{call.error}</p> : <p className="said">{call.result}</p>}
    </li>
  );
}

export function TurnPanel({ title, turn }: { title: string; turn: Turn | null }) {
  if (!turn) return <Panel title={title}><p className="soft">Its record was deleted.</p></Panel>;
  return (
    <Panel title={title} aside={<Link href={`/executions/${turn.job_id}`}>Execution {turn.job_id}</Link>}>
      <p className="row" role="status"><State name={turn.state} /></p>
      {turn.error !== null && <p className="bad">{turn.error}</p>}
      {turn.text !== null && <blockquote className="said">{turn.text || "No words: it called tools."}</blockquote>}
      <Facts
        all={[
          ["Model", turn.model],
          ["Tokens", `${tokensText(turn.tokens_in)} in, ${tokensText(turn.tokens_out)} out`],
          ["Cost", turn.cost === null ? null : costText(turn.cost)],
          ["Tool calls", String(turn.calls.length)],
        ]}
      />
      {turn.calls.length > 0 && <ol className="calls">{turn.calls.map((call, index) => <CallRow key={index} call={call} />)}</ol>}
    </Panel>
  );
}

/** Of a trial: its turn next to the original's. It is read anew when the trial's state changes. */
export function Comparison({ job, state }: { job: number; state: string }) {
  const comparison = useQuery({
    queryKey: ["comparison", job, state],
    queryFn: ({ signal }) => get("/api/v1/executions/{id}/comparison", { params: { id: job }, signal }),
    placeholderData: keepPreviousData,
  });
  return (
    <Loaded query={comparison}>
      {({ original, trial }) => (
        <div className="halves">
          <TurnPanel title="Original" turn={original} />
          <TurnPanel title="Trial" turn={trial} />
        </div>
      )}
    </Loaded>
  );
}

function TrialDialog({ job, agents, onClose }: { job: number; agents: readonly { node: string; name: string }[]; onClose: () => void }) {
  const [, navigate] = useLocation();
  const [model, setModel] = useState("");
  const [prompt, setPrompt] = useState("");
  const [node, setNode] = useState(agents[0]?.node ?? "");
  const before = useRef<Intention>(undefined);
  const models = useQuery({ queryKey: ["models"], queryFn: ({ signal }) => get("/api/v1/models", { signal }), staleTime: 60_000 });
  const start = useMutation({
    mutationFn: () => {
      before.current = intentionOf(before.current, [job, model, prompt, node]);
      const changes = { ...(model ? { model } : {}), ...(prompt.trim() ? { system_prompt: prompt } : {}), ...(node ? { node } : {}) };
      return post("/api/v1/executions/{id}/trials", changes, { params: { id: job }, ...onceBy(before.current.key) });
    },
    onSuccess: ({ job_id: trial }) => navigate(`/executions/${trial}`),
  });
  const entries = models.data?.models.flatMap((model) => model.entries.map((entry) => ({ entry, name: model.name }))) ?? [];
  return (
    <Dialog title={`Try execution ${job} again`} act="Try" onAct={() => start.mutateAsync()} onClose={onClose}>
      <p className="soft">The agent answers again. Nothing is sent. Tool calls get their recorded results, and other calls run only if they change nothing. The model calls cost money.</p>
      {agents.length > 1 && (
        <label className="label">
          Agent
          <select className="pick" value={node} onChange={({ target }) => setNode(target.value)}>
            {agents.map((agent) => <option key={agent.node} value={agent.node}>{agent.name}</option>)}
          </select>
        </label>
      )}
      <label className="label">
        Model
        <select className="pick" value={model} onChange={({ target }) => setModel(target.value)}>
          <option value="">the agent's own</option>
          {entries.map(({ entry, name }) => <option key={entry} value={entry}>{entry === name ? entry : `${entry} (${name})`}</option>)}
        </select>
      </label>
      <Field label="System prompt" hint="Empty: the agent's own.">
        {(props) => <textarea className="field" rows={6} {...props} value={prompt} onChange={({ target }) => setPrompt(target.value)} />}
      </Field>
    </Dialog>
  );
}

/** For an execution in which agents ran. */
export function TryButton({ job, agents }: { job: number; agents: readonly { node: string; name: string }[] }) {
  const refusal = useRefusal("POST /api/v1/executions/{id}/trials");
  const [asked, setAsked] = useState(false);
  if (agents.length === 0) return null;
  return (
    <>
      <Button refusal={refusal} title="Runs the agent's turn again with another model or system prompt. Nothing is sent." onClick={() => setAsked(true)}>Try with another model</Button>
      {asked && <TrialDialog job={job} agents={agents} onClose={() => setAsked(false)} />}
    </>
  );
}
