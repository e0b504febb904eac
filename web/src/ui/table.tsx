import type { Key, ReactNode } from "react";

export interface Column<Row> {
  name: string;
  show: (row: Row) => ReactNode;
  /** "wide" takes the room that is left, and stands first on a phone. */
  kind?: "wide" | "number";
  /** On a phone the cell says its column's name. */
  named?: boolean;
}

interface Props<Row> {
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => Key;
  selected?: (row: Row) => boolean;
}

export function Table<Row>({ label, columns, rows, keyOf, selected }: Props<Row>) {
  return (
    <div className="table-frame" tabIndex={0} role="group" aria-label={label}>
      <table className="table" aria-label={label}>
        <thead>
          <tr>
            {columns.map(({ name, kind }) => (
              <th key={name} scope="col" className={kind}>
                {name || <span className="hidden-text">Actions</span>}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)} data-selected={selected?.(row) || undefined}>
              {columns.map(({ name, show, kind, named }) => (
                <td key={name} className={kind} data-name={named ? name : undefined}>
                  {show(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
