// Dialogs that outlive the row whose button opened them: a list that changes takes none away in the middle of typing.
// A dialog has its own copy of what it is about, and says when that has left the page.
import { createContext, type ReactNode, useCallback, useContext, useEffect, useRef } from "react";
import { useLocation } from "wouter";

import { makeStore } from "./store";

interface Kept {
  id: number;
  body: ReactNode;
  /** What opened it is no longer on the page. */
  left: boolean;
}

const dialogs = makeStore<readonly Kept[]>([]);
let count = 0;

const Left = createContext(false);

/** Within a dialog: whether what it is about has left the page. */
export const useHasLeft = (): boolean => useContext(Left);

/** Returns what opens a dialog; `body` gets what closes it. */
export function useKeptDialog(): (body: (close: () => void) => ReactNode) => void {
  const own = useRef(0);
  useEffect(
    () => () => {
      const isOwn = ({ id }: Kept) => id === own.current;
      if (dialogs.get().some(isOwn)) dialogs.set(dialogs.get().map((kept) => (isOwn(kept) ? { ...kept, left: true } : kept)));
    },
    [],
  );
  return useCallback((body) => {
    count += 1;
    const id = count;
    own.current = id;
    const close = () => dialogs.set(dialogs.get().filter((kept) => kept.id !== id));
    dialogs.set([...dialogs.get(), { id, body: body(close), left: false }]);
  }, []);
}

/** Where they are. Another page begins without them. */
export function KeptDialogs() {
  const [page] = useLocation();
  useEffect(() => () => dialogs.set([]), [page]);
  return dialogs.use().map(({ id, body, left }) => (
    <Left key={id} value={left}>
      {body}
    </Left>
  ));
}
