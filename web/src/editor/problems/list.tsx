import { useDesk } from "../desk";
import { FLOW } from "../panel/focus-in";
import type { PlacedProblem } from "./placed";

function Line({ problem }: { problem: PlacedProblem }) {
  const { show } = useDesk();
  const { id, field, severity, node, message, hint } = problem;
  const words = (
    <>
      <span className={`state tone-${severity === "error" ? "bad" : "warn"}`}>{node ?? "Flow"}</span>
      <span>{message}{hint && <span className="soft">: {hint}</span>}</span>
    </>
  );
  return <li><button type="button" className="problem" onClick={() => show(id ?? FLOW, field)}>{words}</button></li>;
}

/** A click leads to the field concerned. */
export function ProblemList() {
  const { problems, checked } = useDesk();
  if (problems.length === 0) return <p className="soft problems-none" role="status">{checked ? "There are no problems. The draft can be published." : "Checking…"}</p>;
  const ordered = [...problems.filter(({ severity }) => severity === "error"), ...problems.filter(({ severity }) => severity !== "error")];
  return <ul className="problems">{ordered.map((problem) => <Line key={`${problem.path} ${problem.code}`} problem={problem} />)}</ul>;
}
