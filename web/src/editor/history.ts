// Undo and redo by snapshots. Documents share what did not change, so a snapshot costs what its change costs. Changes
// with the same key that follow each other at once, such as letters that are typed, are one step. Pure.

export interface History<State> {
  readonly past: readonly State[];
  readonly present: State;
  readonly future: readonly State[];
  /** Of the last change. */
  readonly key: string | undefined;
  readonly at: number;
}

const MOST_STEPS = 500;
export const TOGETHER_MS = 1_500;

export const begun = <State>(present: State): History<State> => ({ past: [], present, future: [], key: undefined, at: 0 });

export function changed<State>(history: History<State>, present: State, key: string | undefined, at: number): History<State> {
  const together = key !== undefined && key === history.key && at - history.at < TOGETHER_MS;
  const past = together ? history.past : [...history.past, history.present].slice(-MOST_STEPS);
  return { past, present, future: [], key, at };
}

export function undone<State>(history: History<State>): History<State> {
  const before = history.past.at(-1);
  if (before === undefined) return history;
  return { past: history.past.slice(0, -1), present: before, future: [history.present, ...history.future], key: undefined, at: 0 };
}

export function redone<State>(history: History<State>): History<State> {
  const [next, ...future] = history.future;
  if (next === undefined) return history;
  return { past: [...history.past, history.present], present: next, future, key: undefined, at: 0 };
}
