// What a person should look at in nodes that came from n8n. A click leads to the node.
import { Dialog } from "../../ui/dialog";
import { plural } from "../../ui/numbers";
import { useDesk, useDocument } from "../desk";
import { nodeOf } from "../document/model";
import { type PlacedProblem, wordsOf } from "../problems/placed";

export interface Imported {
  count: number;
  problems: readonly PlacedProblem[];
}

function Line({ problem, onShow }: { problem: PlacedProblem; onShow: (node: string) => void }) {
  const { id, severity } = problem;
  const node = nodeOf(useDocument(), id);
  const words = (
    <>
      <span className={`state tone-${severity === "error" ? "bad" : "warn"}`}>{node?.name ?? "Flow"}</span>
      <span>{wordsOf(problem)}</span>
    </>
  );
  return <li>{node ? <button type="button" className="problem" onClick={() => onShow(node.id)}>{words}</button> : <div className="problem">{words}</div>}</li>;
}

export function ImportedDialog({ imported: { count, problems }, onClose }: { imported: Imported; onClose: () => void }) {
  const { show } = useDesk();
  const lead = (node: string) => {
    onClose();
    show(node);
  };
  return (
    <Dialog title={`${plural(count, "node")} from n8n`} onClose={onClose}>
      <p className="soft">Look at these before you run the flow. Nodes without a counterpart are disabled, and their notes say what they did. Undo takes all of it away.</p>
      <ul className="problems imported" tabIndex={0} aria-label="Problems of the import">{problems.map((problem, index) => <Line key={`${index} ${problem.path}`} problem={problem} onShow={lead} />)}</ul>
    </Dialog>
  );
}
