// Operations on many jobs, one after the other, and what is said of them afterwards.
import { isOutage, Problem, wordsOf } from "../api/problem";
import { titleOf } from "../api/words";
import { plural } from "../ui/numbers";
import type { BulkOutcome, Verb } from "./queries";

export interface Outcome {
  text: string;
  /** Jobs that were not reached: they stay selected. */
  left: readonly number[];
}

/** A refusal is about one job; without a session or a server, the next would fail too. */
const endsAll = (error: unknown) => isOutage(error) || (error instanceof Problem && error.status === 401);

export async function operateOnEach(verb: Verb, ids: readonly number[], operate: (id: number, verb: Verb) => Promise<unknown>): Promise<Outcome> {
  const refusals: string[] = [];
  let done = 0;
  for (const [index, id] of ids.entries()) {
    try {
      await operate(id, verb);
      done += 1;
    } catch (error) {
      if (endsAll(error)) {
        const left = ids.slice(index);
        return { left, text: `${said(verb, done, refusals)} ${plural(left.length, "job")} left, and still selected: ${wordsOf(error)}` };
      }
      refusals.push(`${id}: ${wordsOf(error)}`);
    }
  }
  return { left: [], text: said(verb, done, refusals) };
}

const said = (verb: Verb, done: number, refusals: readonly string[]) =>
  `${titleOf(verb)}: ${plural(done, "job")} done${refusals.length ? `; refused: ${refusals.join("; ")}` : ""}.`;

export function textOf(verb: Verb, outcome: BulkOutcome): string {
  const parts = [`${outcome.done} done`];
  if (outcome.asked) parts.push(`${outcome.asked} asked of their workers`);
  if (outcome.refused.length) parts.push(`${outcome.refused.length} refused`);
  if (outcome.stopped) parts.push(`stopped by ${outcome.stopped}: repeat it to continue`);
  return `${titleOf(verb)}: ${parts.join(", ")}.`;
}

/** The jobs that are selected, of the list with these filters: a list with others has none selected. */
export interface Selection {
  of: string;
  ids: ReadonlySet<number>;
}

export const selectedIn = (selection: Selection, list: string): ReadonlySet<number> => (selection.of === list ? selection.ids : new Set());
