import { State } from "../ui/state";
import type { Document } from "./queries";
import { isUnderWay, stateOf } from "./words";

/** The state of a document; while a job is at work on it, how far that is. */
export function Progress({ document }: { document: Document }) {
  const { name, parts, parts_done } = document;
  return (
    <div className="document-state">
      <State {...stateOf(document)} />
      {isUnderWay(document) && parts > 0 && <progress aria-label={`Parts of ${name}`} value={parts_done} max={parts} />}
    </div>
  );
}
