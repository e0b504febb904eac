// What the questions before operations of a flow share.
import { useQueryClient } from "@tanstack/react-query";

import { changesOfFlow, type Flow } from "./operate";

export interface Asked {
  flow: Flow;
  onClose: () => void;
}

/** Reads all that shows the flow again. */
export function useChanged(): () => void {
  const cache = useQueryClient();
  return () => changesOfFlow.forEach((key) => void cache.invalidateQueries({ queryKey: [key] }));
}
