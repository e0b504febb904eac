// Runs the recorded answers of an execution through a version of its flow. Nothing is called, sent or paid for.
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";

import { post, type Schema } from "../api/client";
import { useRefusal } from "../api/me";
import { Button } from "../ui/button";
import { Dialog } from "../ui/dialog";
import { JsonView } from "../ui/json-view";
import { State } from "../ui/state";

type Replay = Schema["Replay"];

const versions = [
  { value: "", title: "the version that it was started with" },
  { value: "published", title: "the published version" },
  { value: "draft", title: "the draft" },
];

/** What came of it is announced; its output is there to be read. */
export function Outcome({ replay: { state, error, departures, output } }: { replay: Replay }) {
  return (
    <div className="stack">
      <div className="stack" role="status">
        <p className="row"><State name={state} /></p>
        {error && <p className="bad">{error.code}: {error.message}</p>}
        {departures.missing.length > 0 && <p>It asked for steps that the record does not have: <span className="mono">{departures.missing.join(", ")}</span></p>}
        {departures.unasked.length > 0 && <p>It did not ask for these recorded steps: <span className="mono">{departures.unasked.join(", ")}</span></p>}
        {departures.missing.length + departures.unasked.length === 0 && <p className="soft">It took the same steps as the record.</p>}
      </div>
      <JsonView name="output of the replay" value={output} />
    </div>
  );
}

export function ReplayButton({ job }: { job: number }) {
  const refusal = useRefusal("POST /api/v1/executions/{id}/replay");
  const [asked, setAsked] = useState(false);
  const [version, setVersion] = useState("");
  const run = useMutation({
    mutationFn: () => post("/api/v1/executions/{id}/replay", version ? { version } : {}, { params: { id: job } }),
  });
  const close = () => {
    setAsked(false);
    run.reset();
  };
  return (
    <>
      <Button refusal={refusal} title="Runs the recorded answers through a version of the flow. Nothing is called, sent or paid for." onClick={() => setAsked(true)}>Replay</Button>
      {asked && (
        <Dialog title={`Replay execution ${job}`} act="Replay" onAct={() => run.mutateAsync().then(() => "stay")} onClose={close}>
          <p className="soft">The recorded answers of models and tools run through the flow again. Nothing is called, sent or paid for.</p>
          <label className="label">
            With
            <select className="pick" value={version} onChange={(event) => setVersion(event.target.value)}>
              {versions.map(({ value, title }) => <option key={value} value={value}>{title}</option>)}
            </select>
          </label>
          {run.data && <Outcome replay={run.data} />}
        </Dialog>
      )}
    </>
  );
}
