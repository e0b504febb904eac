import { State } from "../ui/state";
import { stateWords } from "./drawing";

/** The dot of a node's state is that of a state which other pages have, too. */
const states: Record<string, string> = { not_reached: "idle", skipped: "cancelled", used: "done", stopped: "cancelled" };

export const NodeState = ({ state }: { state: string }) => <State name={states[state] ?? state} words={stateWords(state)} />;
