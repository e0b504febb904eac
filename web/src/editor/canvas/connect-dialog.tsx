// Connects a node without a mouse: its output, then a port of another node. What does not fit says why.
import { type KeyboardEvent, useState } from "react";

import { Dialog } from "../../ui/dialog";
import { Field } from "../../ui/field";
import { useDesk, useDocument } from "../desk";
import { connect } from "../document/commands";
import { type Candidate, candidatesFor, endsBetween, outputsAt, wordsOfKind } from "../document/fitting";
import { type FlowNode, nodeOf } from "../document/model";

const keyOf = ({ ends }: Candidate) => `${ends.to}\n${ends.input}`;
// Browsers submit nothing by Enter in a list.
function submitByEnter(event: KeyboardEvent<HTMLSelectElement>) {
  if (event.key !== "Enter") return;
  event.preventDefault();
  event.currentTarget.form?.requestSubmit();
}
const titleOf = ({ node, port }: Candidate) => `${node.name}${port.kind === "main" && port.name === "main" ? "" : ` (${port.kind === "main" ? port.name : wordsOfKind(port.kind)})`}`;

function Choice({ from, onClose }: { from: FlowNode; onClose: () => void }) {
  const { session, types } = useDesk();
  const document = useDocument();
  const outputs = outputsAt(types, from);
  const [output, setOutput] = useState(outputs[0]?.name ?? "");
  const [chosen, setChosen] = useState<string>();
  const candidates = candidatesFor(document, types, from, output);
  const pick = candidates.find((each) => keyOf(each) === chosen) ?? candidates.find(({ refusal }) => !refusal);
  const act = () => {
    const ends = pick && endsBetween(document, types, pick.ends);
    if (!ends) throw new Error(pick?.refusal ?? "No other node takes what this one gives.");
    session.store.act(connect(ends));
  };
  return (
    <Dialog title={`Connect ${from.name}`} act="Connect" onAct={act} onClose={onClose}>
      {outputs.length === 0 && <p className="soft">Nothing comes out of this node. Connect another one with it.</p>}
      {outputs.length > 0 && (
        <>
          {outputs.length > 1 && (
            <Field label="From its output">
              {(props) => (
                <select className="pick" {...props} value={output} onChange={(event) => setOutput(event.target.value)}>
                  {outputs.map(({ name, title }) => <option key={name} value={name}>{title ? `${name}: ${title}` : name}</option>)}
                </select>
              )}
            </Field>
          )}
          <Field label="To" hint={pick?.refusal}>
            {(props) => (
              <select className="pick connect-to" size={8} {...props} value={pick && keyOf(pick)} onKeyDown={submitByEnter} onChange={(event) => setChosen(event.target.value)}>
                {candidates.map((each) => <option key={keyOf(each)} value={keyOf(each)} disabled={each.refusal !== undefined} title={each.refusal}>{titleOf(each)}{each.refusal ? `: ${each.refusal}` : ""}</option>)}
              </select>
            )}
          </Field>
        </>
      )}
    </Dialog>
  );
}

export function ConnectDialog({ node, onClose }: { node: string; onClose: () => void }) {
  const from = nodeOf(useDocument(), node);
  return from ? <Choice from={from} onClose={onClose} /> : null;
}
