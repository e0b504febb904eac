// A flow that ends itself: its stop node fails with a message for people, and nothing is broken. Pure.
import type { NodeRun } from "./queries";

export interface Stop {
  title: string;
  message: string;
}

export const isStop = ({ type, state }: NodeRun): boolean => type === "stop" && state === "failed";

/** Undefined where something else ended it. */
export function stopOf(nodes: readonly NodeRun[] | null | undefined): Stop | undefined {
  const node = nodes?.find((each) => isStop(each) && each.error);
  return node?.error ? { title: `The flow's stop node “${node.name}” ended it`, message: node.error.message } : undefined;
}
