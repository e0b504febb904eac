import type { Schema } from "../api/client";
import { titleOf } from "../api/words";
import type { Stop } from "./stop";

type Failed = Pick<Schema["Job"], "state" | "error" | "error_class">;

/** Why an execution or a job failed. `stop`: its flow ended it on purpose. */
export function FailureNote({ run: { state, error, error_class }, stop }: { run: Failed; stop: Stop | undefined }) {
  if (!error) return null;
  const title = `${state === "failed" ? "It failed" : "Its last try failed"}${error_class ? `: ${titleOf(error_class).toLowerCase()}` : ""}`;
  return (
    <div className={`why ${stop ? "tone-warn" : "tone-bad"}`} role="note">
      <strong>{stop?.title ?? title}</strong>
      <p>{stop?.message ?? error}</p>
    </div>
  );
}
