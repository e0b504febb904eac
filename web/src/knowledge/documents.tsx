// The documents of a collection: how far each is, why one failed, and its replacement and removal.
import { Link } from "wouter";

import { sentence } from "../api/words";
import { Chips } from "../ui/chips";
import { FilterField } from "../ui/filter-field";
import type { Filters } from "../ui/filters";
import { useKeyset } from "../ui/keyset-list";
import { List } from "../ui/list";
import { countText } from "../ui/numbers";
import { Panel } from "../ui/page";
import type { Column } from "../ui/table";
import { Time } from "../ui/time";
import { Progress } from "./progress";
import { addressOfDocument, type Document } from "./queries";
import { RemoveDocument, ReplaceDocument } from "./replace";
import { isUnderWay, sizeText } from "./words";

const columnsOf = (collection: string): Column<Document>[] => [
  {
    name: "Document",
    kind: "wide",
    show: ({ id, name, title, error }) => (
      <>
        <Link className="clip" href={addressOfDocument(collection, id)}>{name}</Link>
        {title && title !== name && <span className="clip soft">{title}</span>}
        {error && <span className="bad document-error">{sentence(error.message)}</span>}
      </>
    ),
  },
  { name: "State", show: (document) => <Progress document={document} /> },
  { name: "Pages", kind: "number", named: true, show: ({ pages }) => (pages == null ? <span className="faint">–</span> : countText(pages)) },
  { name: "Parts", kind: "number", named: true, show: ({ parts }) => countText(parts) },
  { name: "Size", kind: "number", named: true, show: ({ bytes }) => sizeText(bytes) },
  { name: "Changed", named: true, show: ({ updated_at }) => <Time at={updated_at} age /> },
  { name: "", show: (document) => <div className="row acts"><ReplaceDocument collection={collection} document={document} /><RemoveDocument collection={collection} document={document} /></div> },
];

const states = [{ title: "All", value: undefined }, { title: "Reading", value: "reading" }, { title: "Ready", value: "ready" }, { title: "Failed", value: "failed" }];

interface Props {
  collection: string;
  filters: Filters;
  change: (changes: Record<string, string | undefined>) => void;
}

export function Documents({ collection, filters: { state, search }, change }: Props) {
  const list = useKeyset("/api/v1/collections/{name}/documents", "documents", ["documents", collection], { params: { name: collection }, query: { state, search }, page: "after", isBusy: isUnderWay });
  const aside = (
    <>
      <Chips label="State" choices={states} value={state} onChange={(value) => change({ state: value })} />
      <div className="filters"><FilterField name="search" label="A part of the name" value={search ?? ""} change={change} /></div>
    </>
  );
  const narrowed = state !== undefined || search !== undefined;
  return (
    <Panel flush title="Documents" aside={aside}>
      <List
        label="Documents"
        list={list}
        columns={columnsOf(collection)}
        keyOf={({ id }) => String(id)}
        empty={narrowed ? "No document matches." : "The collection has no documents."}
        hint={!narrowed && <p>Drop files above, or use <code>postrider knowledge add --collection {collection} FILE</code>.</p>}
      />
    </Panel>
  );
}
