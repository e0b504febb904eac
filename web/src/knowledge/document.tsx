// One document: where it came from, how far it is, and the parts that searches find.
import { Link, useLocation } from "wouter";

import { isAbsent } from "../api/problem";
import { sentence } from "../api/words";
import { Empty, Loaded } from "../ui/feedback";
import { More, useKeyset } from "../ui/keyset-list";
import { countText } from "../ui/numbers";
import { Facts, Page, Panel } from "../ui/page";
import { Time } from "../ui/time";
import "./knowledge.css";
import { PartText } from "./part-text";
import { Progress } from "./progress";
import { addressOfCollection, type Document, useDocument } from "./queries";
import { RemoveDocument, ReplaceDocument } from "./replace";
import { Sending } from "./sending";
import { isUnderWay, isUrl, placeWords, sizeText, valueText, vectorWords } from "./words";

const toPath = (collection: string) => <Link href={addressOfCollection(collection)}>{collection}</Link>;

function Parts({ collection, document: { id, state } }: { collection: string; document: Document }) {
  const list = useKeyset("/api/v1/collections/{name}/documents/{id}/parts", "parts", ["documents", collection, String(id), "parts"], { params: { name: collection, id: String(id) }, page: "after" });
  return (
    <Panel title="Parts">
      <Loaded query={{ ...list, data: list.rows }}>
        {(parts) =>
          parts.length === 0 ? (
            <Empty title="It has no parts.">{state === "failed" ? "A document that cannot be read is never found." : isUnderWay({ state }) ? "They are here when it is read." : undefined}</Empty>
          ) : (
            <>
              <ol className="found-parts" aria-label="Parts">
                {parts.map((part) => (
                  <li key={part.number} className="found">
                    <div className="row"><strong>Part {part.number}</strong><span className="soft">{placeWords(part)}</span></div>
                    <PartText text={part.text} />
                  </li>
                ))}
              </ol>
              <More list={list} />
            </>
          )
        }
      </Loaded>
    </Panel>
  );
}

function Whole({ collection, document }: { collection: string; document: Document }) {
  const { title, source, media_type, bytes, pages, parts, job, error, metadata, created_at, updated_at } = document;
  return (
    <>
      {error && <p className="why tone-bad"><strong>It could not be read.</strong> {sentence(error.message)}{parts > 0 && " Its earlier parts are still found."}</p>}
      <Sending collection={collection} />
      <Panel title="Document">
        <Facts
          all={[
            ["State", <Progress document={document} />],
            ["Collection", toPath(collection)],
            ["Title", title],
            ["Source", isUrl(source) ? <a href={source} target="_blank" rel="noreferrer noopener">{source}</a> : source],
            ["Type", media_type],
            ["Size", sizeText(bytes)],
            ["Pages", pages == null ? undefined : countText(pages)],
            ["Parts", countText(parts)],
            ["With vectors", vectorWords(document)],
            ["Job", job == null ? undefined : <Link href={`/jobs/${job}`}>{String(job)}</Link>],
            ["Added", <Time at={created_at} />],
            ["Changed", <Time at={updated_at} age />],
          ]}
        />
      </Panel>
      {Object.keys(metadata).length > 0 && <Panel title="Metadata"><Facts all={Object.entries(metadata).map(([name, value]) => [name, valueText(value)] as const)} /></Panel>}
      <Parts collection={collection} document={document} />
    </>
  );
}

export function DocumentPage({ params }: { params: Record<string, string> }) {
  const collection = params.name ?? "";
  const shown = useDocument(collection, params.id ?? "", isUnderWay);
  const [, navigate] = useLocation();
  if (isAbsent(shown.error)) return <Page title="Document"><Empty title="There is no such document.">To the collection {toPath(collection)}</Empty></Page>;
  const { data } = shown;
  const acts = data && (
    <>
      <ReplaceDocument collection={collection} document={data} />
      <RemoveDocument collection={collection} document={data} onRemoved={() => navigate(addressOfCollection(collection))} />
    </>
  );
  return (
    <Page title={data?.name ?? "Document"} actions={acts}>
      <Loaded query={shown}>{(document) => <Whole collection={collection} document={document} />}</Loaded>
    </Page>
  );
}
