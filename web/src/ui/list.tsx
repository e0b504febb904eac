// The body of a page that lists rows by pages: what it reads, its table, and the button for more.
import type { Key, ReactNode } from "react";

import { Empty, Loaded } from "./feedback";
import { type Keyset, More } from "./keyset-list";
import { type Column, Table } from "./table";

interface Props<Row> {
  label: string;
  list: Keyset<Row>;
  columns: readonly Column<Row>[];
  keyOf: (row: Row) => Key;
  empty: string;
  hint?: ReactNode;
}

export function List<Row>({ label, list, columns, keyOf, empty, hint }: Props<Row>) {
  return (
    <Loaded query={{ ...list, data: list.rows }}>
      {(rows) =>
        rows.length === 0 ? (
          <Empty title={empty}>{hint}</Empty>
        ) : (
          <>
            <Table label={label} columns={columns} rows={rows} keyOf={keyOf} />
            <More list={list} />
          </>
        )
      }
    </Loaded>
  );
}
