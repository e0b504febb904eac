import { useSyncExternalStore } from "react";

import { useDesk } from "../desk";
import type { Saver } from "./saver";

export const useSaving = (saver: Saver) => useSyncExternalStore(saver.subscribe, () => saver.state);

const tones = { saved: "good", waiting: "idle hollow", saving: "busy beats", failing: "warn", refused: "bad", signed_out: "warn", conflict: "bad" };

/** What became of the last changes. */
export function SaveState() {
  const { session, locked } = useDesk();
  const state = useSaving(session.saver);
  const words = {
    saved: "Saved",
    waiting: "Not saved yet",
    saving: "Saving…",
    failing: "Not saved: it tries again",
    refused: "Not saved",
    signed_out: "Not saved: sign in",
    conflict: "Not saved: another draft",
  }[state.kind];
  const more = "words" in state ? state.words : undefined;
  if (locked) return <span className="state tone-idle hollow" title={locked}>Read only</span>;
  return <span className={`state tone-${tones[state.kind]}`} role="status" title={more}>{words}{state.kind === "refused" && `: ${state.words}`}</span>;
}
