// One collection: what it has, a search of it, and its documents.
import { Link, useLocation } from "wouter";

import { remove } from "../api/client";
import { useRefusal } from "../api/me";
import { isAbsent } from "../api/problem";
import { ActButton } from "../ui/act-button";
import { Button } from "../ui/button";
import { Empty, Loaded } from "../ui/feedback";
import { useFilters } from "../ui/filters";
import { useKeptDialog } from "../ui/kept-dialog";
import { countText, plural } from "../ui/numbers";
import { Facts, Page, Panel } from "../ui/page";
import { Time } from "../ui/time";
import { AddDocuments } from "./add";
import { Documents } from "./documents";
import { ChangeCollection } from "./form";
import "./knowledge.css";
import { type Collection, useCollection } from "./queries";
import { SearchPanel } from "./search";
import { accessWords, sizeText } from "./words";

function Acts({ collection }: { collection: Collection }) {
  const { name, documents } = collection;
  const [, navigate] = useLocation();
  const refusal = useRefusal();
  const show = useKeptDialog();
  const act = async () => {
    await remove("/api/v1/collections/{name}", { params: { name } });
    navigate("/knowledge");
  };
  return (
    <>
      <Button refusal={refusal} onClick={() => show((close) => <ChangeCollection collection={collection} onClose={close} />)}>Change</Button>
      <ActButton danger act={act} changes={["collections"]} says={`Delete the collection ${name}?`} done={`The collection ${name} is deleted.`} ask={<p className="soft">{documents > 0 ? `Its ${plural(documents, "document")} and all their parts are deleted. ` : ""}Flows that search it fail until there is a collection of this name again.</p>}>
        Delete
      </ActButton>
    </>
  );
}

function Whole({ collection }: { collection: Collection }) {
  const [filters, change] = useFilters(["query", "where", "state", "search"]);
  const { name, documents, parts, embedded, bytes, access, created_at, updated_at } = collection;
  return (
    <>
      <Panel title="Collection">
        <Facts
          all={[
            ["Documents", countText(documents)],
            ["Parts", countText(parts)],
            ["With vectors", countText(embedded)],
            ["Size", sizeText(bytes)],
            ["Searched by", accessWords(access)],
            ["Created", <Time at={created_at} />],
            ["Changed", <Time at={updated_at} age />],
          ]}
        />
      </Panel>
      <SearchPanel collection={collection} filters={filters} change={change} />
      <AddDocuments collection={name} />
      <Documents collection={name} filters={filters} change={change} />
    </>
  );
}

export function CollectionPage({ params }: { params: Record<string, string> }) {
  const name = params.name ?? "";
  const shown = useCollection(name);
  if (isAbsent(shown.error)) return <Page title={name}><Empty title={`There is no collection ${name}.`}><Link href="/knowledge">All collections</Link></Empty></Page>;
  return (
    <Page title={name} about={shown.data?.description} actions={shown.data && <Acts collection={shown.data} />}>
      <Loaded query={shown}>{(collection) => <Whole collection={collection} />}</Loaded>
    </Page>
  );
}
