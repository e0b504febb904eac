// Changes that an editor left behind, because the browser or the network ended first. They are offered, and never
// applied in silence.
import { useQuery, useQueryClient } from "@tanstack/react-query";

import { Button } from "../../ui/button";
import { Time } from "../../ui/time";
import { toast } from "../../ui/toast";
import { useDesk } from "../desk";
import { documentOf } from "../document/model";
import type { Kept } from "./journal";

export function Offer() {
  const { session, locked } = useDesk();
  const cache = useQueryClient();
  const key = ["editor-journal", session.name];
  const { data = [] } = useQuery({ queryKey: key, queryFn: () => session.left(), staleTime: Infinity, gcTime: 0 });
  const [first] = data;
  if (!first || locked) return null;
  const drop = async ({ tab }: Kept) => {
    await session.forget(tab);
    await cache.invalidateQueries({ queryKey: key });
  };
  const take = async (kept: Kept) => {
    const document = documentOf(kept.document);
    if (!document) return toast("It is no document that can be drawn.", true);
    session.store.act(() => ({ ...document, name: session.store.state.document.name }));
    toast("Your changes are back. Undo takes them away again.");
    await drop(kept);
  };
  return (
    <div className="editor-bar tone-warn" role="alert">
      <span><strong>There are changes that were not saved</strong>, from <Time at={first.at.toISOString()} />.{data.length > 1 && ` ${data.length - 1} more are older.`}</span>
      <div className="row spread">
        <Button onClick={() => void drop(first)}>Discard them</Button>
        <Button kind="main" onClick={() => void take(first)}>Bring them back</Button>
      </div>
    </div>
  );
}
