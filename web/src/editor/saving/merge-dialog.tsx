// Two drafts of one flow, side by side: a person picks a side for each difference. Nothing is lost either way.
import { useMemo, useState } from "react";

import { Dialog } from "../../ui/dialog";
import { type FlowDocument, nodeOf } from "../document/model";
import { placedLike } from "../document/places";
import { apart, type Difference, differencesOf, mergedBy, type Side, usualSide } from "./merge";
import { NodeDifference } from "./node-difference";

const deeds = { added: "added", changed: "changed", removed: "deleted", same: "left as it was" };

interface ChoiceProps {
  difference: Difference;
  side: Side;
  mine: FlowDocument;
  theirs: FlowDocument;
  onPick: (side: Side) => void;
}

function Choice({ difference, side, mine, theirs, onPick }: ChoiceProps) {
  const [open, setOpen] = useState(false);
  const id = difference.key.startsWith("node ") ? difference.key.slice("node ".length) : undefined;
  const button = (own: Side, words: string) => <button type="button" className="chip" aria-pressed={side === own} onClick={() => onPick(own)}>{words}</button>;
  return (
    <li className="conflict-line">
      <div className="row">
        <strong className="clip">{difference.title}</strong>
        {difference.disputed && <span className="tag tone-bad">both changed it</span>}
        <div className="chips spread" role="group" aria-label={`Which ${difference.title}`}>
          {button("mine", "Mine")}
          {button("theirs", "Theirs")}
        </div>
      </div>
      <p className="faint">I {deeds[difference.mine]}, they {deeds[difference.theirs]}. {id !== undefined && <button type="button" className="link" aria-expanded={open} onClick={() => setOpen(!open)}>{open ? "Hide" : "Compare"}</button>}</p>
      {open && id !== undefined && <NodeDifference mine={nodeOf(mine, id)} theirs={nodeOf(theirs, id)} />}
    </li>
  );
}

interface Props {
  title: string;
  words: string;
  /** What both grew from. */
  base: FlowDocument;
  mine: FlowDocument;
  theirs: FlowDocument;
  onMerge: (merged: FlowDocument) => Promise<void> | void;
  onClose: () => void;
}

export function MergeDialog({ title, words, base, mine: written, theirs: saved, onMerge, onClose }: Props) {
  // Drafts of programs have no places: those that the nodes had are theirs, too, and no difference.
  const theirs = useMemo(() => placedLike(saved, base), [saved, base]);
  const mine = useMemo(() => apart(base, written, theirs), [base, written, theirs]);
  const differences = useMemo(() => differencesOf(base, mine, theirs), [base, mine, theirs]);
  const [picks, setPicks] = useState<ReadonlyMap<string, Side>>(new Map());
  const sideOf = (difference: Difference) => picks.get(difference.key) ?? usualSide(difference);
  return (
    <Dialog title={title} act="Merge and save" onAct={() => onMerge(placedLike(mergedBy(base, mine, theirs, sideOf)))} onClose={onClose}>
      <p className="soft">{words} Pick a side for each difference. Who changed something keeps it; of what both changed, yours is picked. Connections of both sides are joined.</p>
      {differences.length === 0 && <p>Only the order differs.</p>}
      <ul className="conflict-list">
        {differences.map((difference) => <Choice key={difference.key} difference={difference} side={sideOf(difference)} mine={mine} theirs={theirs} onPick={(side) => setPicks(new Map(picks).set(difference.key, side))} />)}
      </ul>
    </Dialog>
  );
}
