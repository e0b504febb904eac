import { useMemo, useRef } from "react";

/** What did not change stays the same object, and is not drawn again. */
export function useSteady<Item extends { id: string }>(items: Item[]): Item[] {
  const known = useRef(new Map<string, { words: string; item: Item }>());
  return useMemo(() => {
    const before = known.current;
    known.current = new Map(
      items.map((item) => {
        const words = JSON.stringify(item);
        const same = before.get(item.id);
        return [item.id, same?.words === words ? same : { words, item }];
      }),
    );
    return [...known.current.values()].map(({ item }) => item);
  }, [items]);
}
