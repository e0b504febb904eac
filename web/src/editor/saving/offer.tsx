// Changes that an editor left behind, because the browser or the network ended first. They are offered, and never
// applied in silence. Where others saved the draft since, a person picks a side for each difference.
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";

import { Button } from "../../ui/button";
import { Time } from "../../ui/time";
import { toast } from "../../ui/toast";
import { useDesk, useDocument } from "../desk";
import { documentOf, type FlowDocument } from "../document/model";
import { placedLike } from "../document/places";
import type { Kept } from "./journal";
import { MergeDialog } from "./merge-dialog";
import { baseOf } from "./recovery";

export function Offer() {
  const { session, locked } = useDesk();
  const present = useDocument();
  const cache = useQueryClient();
  const key = ["editor-journal", session.name];
  const { data = [] } = useQuery({ queryKey: key, queryFn: () => session.left(), staleTime: Infinity, gcTime: 0 });
  const [merging, setMerging] = useState<Kept>();
  const [first] = data;
  if (!first || locked) return null;
  const drop = async ({ tab }: Kept) => {
    await session.forget(tab);
    await cache.invalidateQueries({ queryKey: key });
  };
  const put = async (leftBehind: Kept, document: FlowDocument) => {
    session.store.act(() => ({ ...document, name: session.store.state.document.name }));
    toast("Your changes are back. Undo takes them away again.");
    await drop(leftBehind);
  };
  const take = async (leftBehind: Kept) => {
    const document = documentOf(leftBehind.document);
    if (!document) return toast("It is no document that can be drawn.", true);
    if (baseOf(leftBehind.bases, present).isPresent) await put(leftBehind, placedLike(document));
    else setMerging(leftBehind);
  };
  return (
    <div className="editor-bar tone-warn" role="alert">
      <span><strong>There are changes that were not saved</strong>, from <Time at={first.at.toISOString()} />.{data.length > 1 && ` ${data.length - 1} more are older.`}</span>
      <div className="row spread">
        <Button onClick={() => void drop(first)}>Discard them</Button>
        <Button kind="main" onClick={() => void take(first)}>Bring them back</Button>
      </div>
      {merging && (
        <MergeDialog
          title="The draft changed since"
          words="Others saved it after these changes were made."
          base={baseOf(merging.bases, present).base}
          mine={placedLike(merging.document)}
          theirs={present}
          onMerge={(merged) => put(merging, merged)}
          onClose={() => setMerging(undefined)}
        />
      )}
    </div>
  );
}
