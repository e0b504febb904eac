// Connects a node without a mouse: its output, then a port of another node. What does not fit says why. Of many ports
// only the first are in the list; a search finds the others.
import { type KeyboardEvent, useMemo, useState } from "react";

import { Dialog } from "../../ui/dialog";
import { Field } from "../../ui/field";
import { useDesk, useDocument } from "../desk";
import { connect } from "../document/commands";
import { type Candidate, candidatesFor, endsBetween, outputsAt, wordsOfKind } from "../document/fitting";
import { type FlowNode, nodeOf } from "../document/model";

const MOST_SHOWN = 100;

const keyOf = ({ ends }: Candidate) => `${ends.to}\n${ends.input}`;
const titleOf = ({ node, port }: Candidate) => `${node.name}${port.kind === "main" && port.name === "main" ? "" : ` (${port.kind === "main" ? port.name : wordsOfKind(port.kind)})`}`;

// Browsers submit nothing by Enter in a list.
function submitByEnter(event: KeyboardEvent<HTMLSelectElement>) {
  if (event.key !== "Enter") return;
  event.preventDefault();
  event.currentTarget.form?.requestSubmit();
}

function Choice({ from, onClose }: { from: FlowNode; onClose: () => void }) {
  const { session, types } = useDesk();
  const document = useDocument();
  const outputs = outputsAt(types, from);
  const [output, setOutput] = useState(outputs[0]?.name ?? "");
  const [search, setSearch] = useState("");
  const [chosen, setChosen] = useState<string>();
  const candidates = useMemo(() => candidatesFor(document, types, from, output), [document, types, from, output]);
  const text = search.trim().toLowerCase();
  const matching = useMemo(() => (text ? candidates.filter((candidate) => titleOf(candidate).toLowerCase().includes(text)) : candidates), [candidates, text]);
  const shown = matching.slice(0, MOST_SHOWN);
  const fitting = shown.filter(({ refusal }) => !refusal);
  const pick = shown.find((candidate) => keyOf(candidate) === chosen) ?? fitting[0];
  const act = () => {
    const ends = pick && endsBetween(document, types, pick.ends);
    if (!ends) throw new Error(pick?.refusal ?? "No other node takes what this one gives.");
    session.store.act(connect(ends));
  };
  const step = (event: KeyboardEvent) => {
    const offset = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (offset === undefined || !pick) return;
    const next = fitting[Math.min(Math.max(fitting.indexOf(pick) + offset, 0), fitting.length - 1)];
    if (next) setChosen(keyOf(next));
    event.preventDefault();
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
          <input type="search" className="field" placeholder="Find a node" aria-label="Find a node to connect" value={search} onKeyDown={step} onChange={(event) => setSearch(event.target.value)} />
          <Field label="To" hint={pick?.refusal}>
            {(props) => (
              <select className="pick connect-to" size={8} {...props} value={pick && keyOf(pick)} onKeyDown={submitByEnter} onChange={(event) => setChosen(event.target.value)}>
                {shown.map((candidate) => <option key={keyOf(candidate)} value={keyOf(candidate)} disabled={candidate.refusal !== undefined} title={candidate.refusal}>{titleOf(candidate)}{candidate.refusal ? `: ${candidate.refusal}` : ""}</option>)}
              </select>
            )}
          </Field>
          {matching.length > shown.length && <p className="faint" role="status">{matching.length - shown.length} more. Type to find one.</p>}
        </>
      )}
    </Dialog>
  );
}

export function ConnectDialog({ node, onClose }: { node: string; onClose: () => void }) {
  const from = nodeOf(useDocument(), node);
  return from ? <Choice from={from} onClose={onClose} /> : null;
}
