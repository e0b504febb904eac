// Lines under one another. Of many, only those in sight are elements of the page.
import { useVirtualizer } from "@tanstack/react-virtual";
import { type Key, type ReactNode, useRef } from "react";

import "./long-list.css";

const FEW = 200;
const SIGHT = { width: 320, height: 600 };

interface Props<Item> {
  label: string;
  items: readonly Item[];
  keyOf: (item: Item) => Key;
  /** The height of a line in pixels, about. */
  line: number;
  children: (item: Item) => ReactNode;
}

function Windowed<Item>({ label, items, keyOf, line, children }: Props<Item>) {
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => line,
    getItemKey: (index) => keyOf(items[index] as Item),
    initialRect: SIGHT,
    overscan: 10,
  });
  return (
    <div ref={scroller} className="long-list" role="group" aria-label={label} tabIndex={0}>
      <div style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ key, index, start }) => (
          <div key={key as Key} ref={virtual.measureElement} data-index={index} style={{ transform: `translateY(${start}px)` }}>
            {children(items[index] as Item)}
          </div>
        ))}
      </div>
    </div>
  );
}

export function LongList<Item>(props: Props<Item>) {
  if (props.items.length > FEW) return <Windowed {...props} />;
  return props.items.map((item) => <div key={props.keyOf(item)}>{props.children(item)}</div>);
}
