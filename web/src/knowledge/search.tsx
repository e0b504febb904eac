// A search of a collection, as flows make it. Its question is in the address.
import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useEffect, useState } from "react";
import { Link } from "wouter";

import { Button } from "../ui/button";
import { Empty, Loaded } from "../ui/feedback";
import { Fold } from "../ui/fold";
import type { Filters } from "../ui/filters";
import { plural } from "../ui/numbers";
import { Panel } from "../ui/page";
import { MetadataField } from "./metadata";
import { PartText } from "./part-text";
import { addressOfDocument, type Collection, type Metadata, type Result, useSearch } from "./queries";
import { metadataOf, metadataParameter, placeWords, scoreText, wordsAlone } from "./words";

interface Props {
  collection: Collection;
  filters: Filters;
  change: (changes: Record<string, string | undefined>) => void;
}

function Found({ collection, result }: { collection: string; result: Result }) {
  return (
    <li className="found">
      <div className="row">
        <Link href={addressOfDocument(collection, result.document_id)}><strong>{result.document}</strong></Link>
        <span className="soft">{placeWords(result)}</span>
        <span className="faint spread nowrap">score {scoreText(result.score)}</span>
      </div>
      <PartText text={result.text} />
    </li>
  );
}

function Results({ collection, query, filter }: { collection: Collection; query: string; filter: string | undefined }) {
  const search = useSearch(collection.name, query, filter, true);
  return (
    <Loaded query={search}>
      {({ results, degraded }) => {
        const alone = wordsAlone(degraded, collection);
        return (
          <>
            {alone && <p className="why tone-warn">{alone}</p>}
            <p role="status" className={results.length > 0 ? "soft" : "hidden-text"}>{plural(results.length, "result")}</p>
            {results.length === 0 && <Empty title="Nothing matches.">{collection.parts > 0 ? "Try other words, or fewer." : "The collection has no text to search yet. Add a document first."}</Empty>}
            {results.length > 0 && <ol className="found-parts" aria-label="Results">{results.map((result, index) => <Found key={index} collection={collection.name} result={result} />)}</ol>}
          </>
        );
      }}
    </Loaded>
  );
}

/** Lines of the address as a filter, or what is wrong with them. */
function filterOf(lines: string): { filter?: Metadata; mistake?: string } {
  try {
    return { filter: metadataOf(lines) };
  } catch (error) {
    return { mistake: error instanceof Error ? error.message : String(error) };
  }
}

export function SearchPanel({ collection, filters, change }: Props) {
  const { query = "", where = "" } = filters;
  const cache = useQueryClient();
  const [text, setText] = useState(query);
  const [lines, setLines] = useState(where);
  useEffect(() => setText(query), [query]);
  useEffect(() => setLines(where), [where]);
  const asked = filterOf(where);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    change({ query: text.trim() || undefined, where: lines.trim() || undefined });
    void cache.invalidateQueries({ queryKey: ["knowledge-search"] }); // the same question may have another answer by now
  };
  return (
    <Panel title="Search">
      <form className="search-form" role="search" onSubmit={submit}>
        <div className="one-line">
          <input className="field" type="search" aria-label="Words or a question" placeholder="Words or a question" data-search="" value={text} onChange={({ target }) => setText(target.value)} />
          <Button type="submit">Search</Button>
        </div>
        <Fold summary="Only documents with this metadata" begins={where !== ""}>
          <MetadataField label="Metadata that documents must have" value={lines} onChange={setLines} mistake={asked.mistake} hint="One in each line: year: 2026." />
        </Fold>
      </form>
      {query !== "" && asked.filter && <Results collection={collection} query={query} filter={metadataParameter(asked.filter)} />}
    </Panel>
  );
}
