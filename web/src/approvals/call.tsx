// The whole of a call that waits for a decision: nothing of its arguments is cut or folded.
import { useQuery } from "@tanstack/react-query";

import { get, type Schema } from "../api/client";
import { printJson } from "../api/json";
import { LaneName } from "../ui/lane-name";
import "./approvals.css";

type Approval = Schema["Approval"];

export function Arguments({ approval: { tool, arguments: values } }: { approval: Approval }) {
  return <pre className="command call" tabIndex={0} role="group" aria-label={`arguments of ${tool}`}>{printJson(values, 2)}</pre>;
}

/** Before a decision. */
export function Call({ approval }: { approval: Approval }) {
  return (
    <>
      <p>
        <strong className="mono">{approval.tool}</strong> in <LaneName name={approval.lane_name} /> for user {String(approval.requester)}, with these arguments:
      </p>
      <Arguments approval={approval} />
    </>
  );
}

/** The approval, read once there is an id. */
export const useApproval = (id: string | undefined) =>
  useQuery({ queryKey: ["approvals", "one", id], queryFn: ({ signal }) => get("/api/v1/approvals/{id}", { params: { id: id ?? "" }, signal }), enabled: id !== undefined });
