import { useEffect, useState } from "react";

import { post } from "../../api/client";
import type { FlowProblem } from "../../flows/operate";
import type { FlowDocument } from "../document/model";
import { type PlacedProblem, placedIn } from "./placed";

const PAUSE_MS = 400;

export interface Checked {
  problems: readonly PlacedProblem[];
  /** The document that they are about; undefined before the first answer. */
  document: FlowDocument | undefined;
}

/** Asks the validator after each change, a moment later. A failure keeps what is known. */
export function useProblems(document: FlowDocument, refusal: string | undefined): Checked {
  const [checked, setChecked] = useState<Checked>({ problems: [], document: undefined });
  useEffect(() => {
    if (refusal) return;
    const ending = new AbortController();
    const ask = async () => {
      const { problems } = await post("/api/v1/flows/validate", document, { signal: ending.signal });
      setChecked({ document, problems: placedIn(document, problems as readonly FlowProblem[]) });
    };
    const timer = setTimeout(() => void ask().catch(() => undefined), PAUSE_MS);
    return () => {
      clearTimeout(timer);
      ending.abort();
    };
  }, [document, refusal]);
  return checked;
}
