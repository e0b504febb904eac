// What a person can say of an effect whose outcome nobody recorded, in words. Pure.
import type { Schema } from "../api/client";

export interface Settlement {
  name: string;
  title: string;
  says: string;
  /** What is asked before. */
  ask?: string;
}

const settlements: readonly Settlement[] = [
  { name: "done", title: "It happened", says: "Records that the effect happened once." },
  { name: "resend", title: "Do it again", says: "Do the effect again?", ask: "If it happened before, it happens twice." },
  { name: "drop", title: "Drop it", says: "Drop the effect?", ask: "This records that it did not happen. It is not done again." },
];

/** What is done cannot be dropped. */
export const settlementsOf = (state: Schema["DoubtfulEffect"]["state"]): readonly Settlement[] => settlements.filter(({ name }) => name !== "drop" || state !== "done");

export const titleOfSettlement = (name: string): string | undefined => settlements.find((settlement) => settlement.name === name)?.title;

/** A state's colour and its words: what may have happened twice is not fine. */
export function doubtOf({ state, flagged }: Pick<Schema["DoubtfulEffect"], "state" | "flagged">): { name: string; words: string } {
  if (state === "unknown") return { name: state, words: "outcome unknown" };
  return flagged ? { name: "warning", words: `${state}, maybe twice` } : { name: state, words: state };
}
