import { addressOf } from "../api/client";
import type { JobDetails } from "./queries";

/** Where a value is, of those whose beginning alone came with the job. `place`: "/steps/3/result", a JSON Pointer. */
export function wholeOf({ job_id, cut = [], steps, effects }: JobDetails, place: string): string | undefined {
  if (!cut.includes(place)) return undefined;
  const [, list = "", index, member] = place.split("/");
  const at = Number(index);
  const query = list === "steps" ? { of: "step", key: steps[at]?.key } : list === "effects" ? { of: member, key: effects[at]?.key } : { of: list };
  return addressOf("/api/v1/jobs/{id}/value", { params: { id: job_id }, query });
}
