// Runs the draft by hand: all of it, from a node on, or a node alone. What is not saved yet is saved first.
import { useRef, useState } from "react";

import { type Intention, intentionOf } from "../../api/intention";
import { printJson, typedJson } from "../../api/json";
import { Dialog } from "../../ui/dialog";
import { Field } from "../../ui/field";
import { type FlowStart, runFlow } from "../../flows/operate";
import { useDesk, useDocument, useSelectedNode } from "../desk";
import type { FlowDocument } from "../document/model";
import type { NodeTypes } from "../../canvas/ports";

export type Extent = "all" | "from" | "only";

export const triggersOf = ({ nodes }: FlowDocument, types: NodeTypes) => nodes.filter(({ type, disabled }) => types.get(type)?.behaviour === "trigger" && !disabled);

/** `node`: where it begins, or what alone runs. Throws what is wrong with the data. */
export function startOf(extent: Extent, { trigger, node, text }: { trigger: string; node: string | undefined; text: string }): FlowStart {
  const data = typedJson(text, "The data");
  return {
    version: "draft",
    ...(trigger ? { trigger } : {}),
    ...(extent === "all" || node === undefined ? {} : { start: node }),
    ...(extent === "only" ? { only: true } : {}),
    ...(data === undefined ? {} : { data }),
  };
}

export function RunDialog({ onRun, onClose }: { onRun: (job: number) => void; onClose: () => void }) {
  const { session, types } = useDesk();
  const document = useDocument();
  const selected = useSelectedNode();
  const triggers = triggersOf(document, types);
  const [trigger, setTrigger] = useState(triggers.find(({ type }) => type === "manual")?.id ?? triggers[0]?.id ?? "");
  const [extent, setExtent] = useState<Extent>("all");
  const example = triggers.find(({ id }) => id === trigger)?.parameters?.example;
  const [text, setText] = useState(example === undefined ? "" : printJson(example, 2));
  const last = useRef<Intention>(undefined);
  const run = async () => {
    last.current = intentionOf(last.current, [document, trigger, extent, selected?.id, text]);
    const start = startOf(extent, { trigger, node: selected?.id, text });
    if (!(await session.saver.flush())) throw new Error("The draft is not saved, so it cannot run.");
    const { job_id } = await runFlow(session.name, start, last.current.key);
    onRun(job_id);
  };
  return (
    <Dialog title="Run the draft?" act="Run" onAct={run} onClose={onClose}>
      <p className="soft">Starts an execution of the draft now. Its tools act, and its models are paid for.</p>
      {triggers.length > 1 && (
        <Field label="Trigger">
          {(props) => <select className="pick" {...props} value={trigger} onChange={({ target }) => setTrigger(target.value)}>{triggers.map(({ id, name }) => <option key={id} value={id}>{name}</option>)}</select>}
        </Field>
      )}
      {selected && types.get(selected.type)?.behaviour !== "part" && (
        <Field label="Extent">
          {(props) => (
            <select className="pick" {...props} value={extent} onChange={({ target }) => setExtent(target.value as Extent)}>
              <option value="all">the whole flow</option>
              <option value="from">from {selected.name} on</option>
              <option value="only">{selected.name} alone</option>
            </select>
          )}
        </Field>
      )}
      <Field label="Data (JSON)" hint={extent === "all" ? "The trigger passes it on." : "The item that the node gets."}>{(props) => <textarea className="field mono" rows={4} {...props} value={text} onChange={({ target }) => setText(target.value)} />}</Field>
    </Dialog>
  );
}
