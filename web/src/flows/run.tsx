import { useRef, useState } from "react";
import { useLocation } from "wouter";

import { type Intention, intentionOf } from "../api/intention";
import { typedJson } from "../api/json";
import { Dialog } from "../ui/dialog";
import { Field } from "../ui/field";
import { type Asked, useChanged } from "./asked";
import { type FlowStart, runFlow } from "./operate";
import { usualVersion, VersionChoice } from "./version-choice";

/** The start of a flow by hand, of what a person typed. Throws what is wrong. */
export function startOf(version: string, trigger: string, text: string): FlowStart {
  const data = typedJson(text, "The data");
  return { version, ...(trigger.trim() ? { trigger: trigger.trim() } : {}), ...(data === undefined ? {} : { data }) };
}

/** Starts an execution by hand, and leads to it. */
export function Run({ flow, onClose }: Asked) {
  const changed = useChanged();
  const [, navigate] = useLocation();
  const [version, setVersion] = useState(usualVersion(flow));
  const [trigger, setTrigger] = useState("");
  const [data, setData] = useState("");
  const last = useRef<Intention>(undefined);
  const run = async () => {
    last.current = intentionOf(last.current, [version, trigger, data]);
    const { job_id } = await runFlow(flow.name, startOf(version, trigger, data), last.current.key);
    changed();
    navigate(`/executions/${job_id}`);
  };
  return (
    <Dialog title={`Run ${flow.name}?`} act="Run" onAct={run} onClose={onClose}>
      <p className="soft">Starts an execution now. Its tools act, and its models are paid for.</p>
      <VersionChoice flow={flow} value={version} onChange={setVersion} />
      <Field label="Trigger" hint="A node's id or name. Empty: the manual one, or the only one.">{(props) => <input className="field" {...props} value={trigger} onChange={(event) => setTrigger(event.target.value)} />}</Field>
      <Field label="Data (JSON)" hint="The trigger passes it on.">{(props) => <textarea className="field mono" rows={4} {...props} value={data} onChange={(event) => setData(event.target.value)} />}</Field>
    </Dialog>
  );
}
