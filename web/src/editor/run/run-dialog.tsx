// Runs the draft by hand: all of it, up to a node, from a node on, or a node alone. What is not saved yet is saved first.
import { useRef, useState } from "react";

import { type Intention, intentionOf } from "../../api/intention";
import { printJson } from "../../api/json";
import { Dialog } from "../../ui/dialog";
import { Field } from "../../ui/field";
import { runFlow } from "../../flows/operate";
import { plural } from "../../ui/numbers";
import { useDesk, useDocument, useSelectedNode } from "../desk";
import { type Extent, pinsOf, startOf, triggersOf } from "./start";

interface Props {
  /** What is chosen first. */
  begins: Extent;
  onRun: (job: number) => void;
  onClose: () => void;
}

export function RunDialog({ begins, onRun, onClose }: Props) {
  const { session, types } = useDesk();
  const document = useDocument();
  const selected = useSelectedNode();
  const triggers = triggersOf(document, types);
  const [trigger, setTrigger] = useState(triggers.find(({ type }) => type === "manual")?.id ?? triggers[0]?.id ?? "");
  const [extent, setExtent] = useState<Extent>(begins);
  const [uses, setUses] = useState(true);
  const example = triggers.find(({ id }) => id === trigger)?.parameters?.example;
  const [text, setText] = useState(example === undefined ? "" : printJson(example, 2));
  const pins = Object.keys(pinsOf(document, extent, { node: selected?.id, uses: true }) ?? {}).length;
  const last = useRef<Intention>(undefined);
  const run = async () => {
    last.current = intentionOf(last.current, [document, trigger, extent, selected?.id, text, uses]);
    const start = startOf(extent, { trigger, node: selected?.id, text, pinned: pinsOf(document, extent, { node: selected?.id, uses }) });
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
              <option value="to">up to {selected.name}</option>
              <option value="from">from {selected.name} on</option>
              <option value="only">{selected.name} alone</option>
            </select>
          )}
        </Field>
      )}
      <Field label="Data (JSON)" hint={extent === "all" || extent === "to" ? "The trigger passes it on." : "The item that the node gets."}>{(props) => <textarea className="field mono" rows={4} {...props} value={text} onChange={({ target }) => setText(target.value)} />}</Field>
      {pins > 0 && <label className="row"><input type="checkbox" className="check" checked={uses} onChange={({ target }) => setUses(target.checked)} />{`Use the pinned items of ${plural(pins, "node")}: they do not run`}</label>}
    </Dialog>
  );
}
