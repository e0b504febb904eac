import { useQuery } from "@tanstack/react-query";

import { problemText } from "../api/problem";
import { Dialog } from "../ui/dialog";
import { Loaded } from "../ui/feedback";
import type { Asked } from "./asked";
import { problemsOfDraft } from "./operate";

/** What keeps the draft from being published, and what may go wrong. */
export function Validate({ flow, onClose }: Asked) {
  const check = useQuery({ queryKey: ["flow", flow.name, "problems", flow.revision], queryFn: ({ signal }) => problemsOfDraft(flow.name, signal), staleTime: 0 });
  return (
    <Dialog title={`Problems of the draft of ${flow.name}`} onClose={onClose}>
      <Loaded query={check}>
        {(problems) =>
          problems.length === 0 ? (
            <p role="status">None. The draft can be published.</p>
          ) : (
            <ul>{problems.map((problem) => <li key={`${problem.path} ${problem.code}`} className={problem.severity === "error" ? "bad" : ""}>{problemText(problem)}</li>)}</ul>
          )
        }
      </Loaded>
    </Dialog>
  );
}
