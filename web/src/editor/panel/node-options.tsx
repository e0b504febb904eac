// What every node has: what happens when it fails, and a note for people.
import { Field } from "../../ui/field";
import { useDesk } from "../desk";
import { setInNode } from "../document/commands";
import type { FlowNode, Path } from "../document/model";
import { pointerOf, problemsAt } from "../problems/placed";

const strategies = [
  ["fail", "ends the execution"],
  ["continue", "sends an item with the error to the same output"],
  ["error_output", "sends it out of an output of its own"],
] as const;

export function NodeOptions({ node }: { node: FlowNode }) {
  const { session, problems } = useDesk();
  const set = (path: Path, value: unknown) => session.store.act(setInNode(node.id, path, value), { key: `${node.id} ${pointerOf(path)}` });
  const mistake = (field: string) => problemsAt(problems.filter(({ id }) => id === node.id), field).map(({ message }) => message).join(" ") || undefined;
  const tries = node.retry?.tries;
  return (
    <div className="form">
      <div data-pointer="/on_error">
        <Field label="When it fails" mistake={mistake("/on_error")}>
          {(props) => (
            <select className="pick" {...props} value={node.on_error ?? "fail"} onChange={({ target }) => set(["on_error"], target.value === "fail" ? undefined : target.value)}>
              {strategies.map(([value, words]) => <option key={value} value={value}>{`${value.replace("_", " ")}: ${words}`}</option>)}
            </select>
          )}
        </Field>
      </div>
      <div data-pointer="/retry" className="halves">
        <Field label="Tries" mistake={mistake("/retry/tries")} hint="In all, after temporary failures.">
          {(props) => <input className="field" type="number" min={1} max={100} {...props} placeholder="1" value={tries ?? ""} onChange={({ target }) => set(["retry"], target.value === "" ? undefined : { ...node.retry, tries: Number(target.value) })} />}
        </Field>
        <Field label="First delay" mistake={mistake("/retry/delay")} hint="It doubles: 5s, 10s, 20s.">
          {(props) => <input className="field" {...props} disabled={tries === undefined} placeholder="1s" value={node.retry?.delay ?? ""} onChange={({ target }) => set(["retry", "delay"], target.value === "" ? undefined : target.value)} />}
        </Field>
      </div>
      <div data-pointer="/notes">
        <Field label="Note" mistake={mistake("/notes")} hint="For people. It changes nothing.">
          {(props) => <textarea className="field" rows={4} {...props} value={node.notes ?? ""} onChange={({ target }) => set(["notes"], target.value === "" ? undefined : target.value)} />}
        </Field>
      </div>
      <p className="faint">Its id is <code>{node.id}</code>. It does not change with the name.</p>
    </div>
  );
}
