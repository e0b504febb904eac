// What changes that were left behind grew from. Pure.
import { type FlowDocument, isSame } from "../document/model";

/** `isPresent`: nobody changed the draft since, so they are the draft's next state. Without any base every difference is one of mine. */
export function baseOf(bases: readonly FlowDocument[], present: FlowDocument): { base: FlowDocument; isPresent: boolean } {
  const same = bases.find((base) => isSame(base, present));
  return { base: same ?? bases[0] ?? present, isPresent: same !== undefined };
}
