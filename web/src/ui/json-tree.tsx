// A JSON value as a tree: only the rows in sight are elements of the page, and a long list or text shows its
// beginning. Arrow keys move in it; Enter or a click opens.
import { useVirtualizer } from "@tanstack/react-virtual";
import { type KeyboardEvent, useId, useMemo, useRef, useState } from "react";

import { isBranch, MEMBERS, membersOf, ownerOf, type Row, rowsOf, type Unfolding } from "./json-parts";

/** Characters of a text that are shown at first, and at most: the browser breaks all of them into lines. */
const TEXT = 2_000;
const LONG_TEXT = 64 * 1024;
const LINE = 20; // pixels
const SIGHT = { width: 320, height: 480 };
const untouched: Unfolding = { toggled: new Set(), limits: new Map() };

function Text({ text, limit }: { text: string; limit: number }) {
  const rest = text.length - limit;
  return (
    <span className="string">
      {JSON.stringify(text.slice(0, limit))}
      {rest > 0 && <span className={limit < LONG_TEXT ? "act" : "count"}> … {rest} more characters{limit < LONG_TEXT ? "" : " are not shown"}</span>}
    </span>
  );
}

function Inside({ row: { name, value, open, rest }, limit }: { row: Row; limit: number | undefined }) {
  if (rest !== undefined) return <span className="act">{rest} more</span>;
  const label = name === undefined ? null : <span className="name">{name}: </span>;
  if (!isBranch(value)) return <>{label}{typeof value === "string" ? <Text text={value} limit={limit ?? TEXT} /> : <span className="scalar">{String(value)}</span>}</>;
  const count = membersOf(value);
  return (
    <>
      <span className="mark" aria-hidden="true">{open ? "▾" : "▸"}</span>
      {label}
      <span className="count">{Array.isArray(value) ? `[${count}]` : `{${count}}`}</span>
    </>
  );
}

const isCut = ({ value, path }: Row, { limits }: Unfolding) => typeof value === "string" && value.length > TEXT && !limits.has(path);

/** What a click or Enter does to a row. */
function touched(row: Row, tree: Unfolding): Unfolding {
  const { path, open, rest } = row;
  if (rest !== undefined) return { ...tree, limits: new Map(tree.limits).set(path, (tree.limits.get(path) ?? MEMBERS) + MEMBERS) };
  if (isCut(row, tree)) return { ...tree, limits: new Map(tree.limits).set(path, LONG_TEXT) };
  if (open === undefined) return tree;
  const toggled = new Set(tree.toggled);
  if (!toggled.delete(path)) toggled.add(path);
  return { ...tree, toggled };
}

/** The row that a key leads to; undefined where the key changes the row, or means nothing. */
function placeAfter(key: string, rows: readonly Row[], at: number): number | undefined {
  const row = rows[at];
  switch (key) {
    case "ArrowDown":
      return Math.min(at + 1, rows.length - 1);
    case "ArrowUp":
      return Math.max(at - 1, 0);
    case "Home":
      return 0;
    case "End":
      return rows.length - 1;
    case "ArrowRight":
      return row?.open ? Math.min(at + 1, rows.length - 1) : undefined;
    case "ArrowLeft":
      return row?.open ? undefined : ownerOf(rows, at);
    default:
      return undefined;
  }
}

const acts = (key: string, { open, rest }: Row): boolean =>
  key === "Enter" || key === " " || (key === "ArrowRight" && (open === false || rest !== undefined)) || (key === "ArrowLeft" && open === true);

/** Levels up to `depth` are open at first. */
export function JsonTree({ value, name, depth }: { value: unknown; name: string; depth: number }) {
  const id = useId();
  const scroller = useRef<HTMLDivElement>(null);
  const [tree, setTree] = useState(untouched);
  const [active, setActive] = useState(0);
  const rows = useMemo(() => rowsOf(value, depth, tree), [value, depth, tree]);
  const at = Math.min(active, rows.length - 1);
  const virtual = useVirtualizer({ count: rows.length, getScrollElement: () => scroller.current, estimateSize: () => LINE, initialRect: SIGHT, overscan: 20 });
  const act = (index: number) => {
    setActive(index);
    const row = rows[index];
    if (row) setTree((now) => touched(row, now));
  };
  const press = (event: KeyboardEvent) => {
    const row = rows[at];
    if (!row || event.altKey || event.ctrlKey || event.metaKey) return;
    const next = placeAfter(event.key, rows, at);
    if (next === undefined && !acts(event.key, row)) return;
    event.preventDefault();
    if (next === undefined) return act(at);
    setActive(next);
    virtual.scrollToIndex(next);
  };
  const click = (index: number) => {
    if (window.getSelection()?.isCollapsed !== false) act(index); // words can be marked without opening anything
  };
  return (
    <div ref={scroller} className="tree" role="tree" tabIndex={0} aria-label={name} aria-activedescendant={`${id}${at}`} onKeyDown={press}>
      <div role="presentation" style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, start }) => {
          const row = rows[index];
          if (!row) return null;
          return (
            <div
              key={`${row.path}${row.rest === undefined ? "" : " more"}`}
              ref={virtual.measureElement}
              data-index={index}
              id={`${id}${index}`}
              role="treeitem"
              className={`${index === at ? "active" : ""} ${row.open === undefined && row.rest === undefined && !isCut(row, tree) ? "" : "opens"}`}
              aria-level={row.level}
              aria-expanded={row.open}
              aria-posinset={row.place}
              aria-setsize={row.siblings}
              aria-selected={index === at}
              style={{ transform: `translateY(${start}px)`, paddingLeft: (row.level - 1) * 18 + (row.open === undefined ? 14 : 0) }}
              onClick={() => click(index)}
            >
              <Inside row={row} limit={tree.limits.get(row.path)} />
            </div>
          );
        })}
      </div>
    </div>
  );
}
