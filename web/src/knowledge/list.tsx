// The collections that flows can search.
import { Link } from "wouter";

import { useRefusal } from "../api/me";
import { Button } from "../ui/button";
import { useKeptDialog } from "../ui/kept-dialog";
import { List } from "../ui/list";
import { countText } from "../ui/numbers";
import { Page } from "../ui/page";
import type { Column } from "../ui/table";
import { Time } from "../ui/time";
import { NewCollection } from "./form";
import { addressOfCollection, type Collection, useCollections } from "./queries";
import { accessWords, sizeText } from "./words";

const columns: Column<Collection>[] = [
  {
    name: "Collection",
    kind: "wide",
    show: ({ name, description }) => (
      <>
        <Link className="clip" href={addressOfCollection(name)}>{name}</Link>
        {description && <span className="clip soft" title={description}>{description}</span>}
      </>
    ),
  },
  { name: "Documents", kind: "number", named: true, show: ({ documents }) => countText(documents) },
  { name: "Parts", kind: "number", named: true, show: ({ parts }) => countText(parts) },
  { name: "With vectors", kind: "number", named: true, show: ({ embedded }) => countText(embedded) },
  { name: "Size", kind: "number", named: true, show: ({ bytes }) => sizeText(bytes) },
  { name: "Searched by", named: true, show: ({ access }) => <span className="soft">{accessWords(access)}</span> },
  { name: "Changed", named: true, show: ({ updated_at }) => <Time at={updated_at} age /> },
];

const everything = { hasNextPage: false, isFetchingNextPage: false, fetchNextPage: () => undefined };

export function KnowledgePage() {
  const list = useCollections();
  const refusal = useRefusal("POST /api/v1/collections");
  const show = useKeptDialog();
  return (
    <Page
      title="Knowledge"
      about="Collections of documents. Flows search them, and answers can say where they come from."
      actions={<Button kind="main" refusal={refusal} onClick={() => show((close) => <NewCollection onClose={close} />)}>New collection</Button>}
    >
      <List
        label="Collections"
        list={{ ...list, ...everything, rows: list.data?.collections }}
        columns={columns}
        keyOf={({ name }) => name}
        empty="There is no collection."
        hint={<p>Make one, then add files or addresses to it. An agent searches it with the tool <em>Knowledge</em>, a flow with the node <em>Search documents</em>.</p>}
      />
    </Page>
  );
}
