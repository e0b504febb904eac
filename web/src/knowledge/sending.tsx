// The files that this tab sends to a collection, and what became of each.
import { Link } from "wouter";

import { isAbsent } from "../api/problem";
import { sentence } from "../api/words";
import { Button } from "../ui/button";
import { plural } from "../ui/numbers";
import { State } from "../ui/state";
import { Progress } from "./progress";
import { addressOfDocument, readAgain, useDocument } from "./queries";
import { makeUploads, type Upload } from "./uploads";
import { isUnderWay } from "./words";

export const uploads = makeUploads(readAgain);

const words: Record<Upload["state"], { name: string; words: string }> = {
  waiting: { name: "scheduled", words: "waiting" },
  sending: { name: "running", words: "being sent" },
  added: { name: "done", words: "sent" },
  unchanged: { name: "idle", words: "unchanged: the collection has this file" },
  failed: { name: "failed", words: "not sent" },
};

/** Of how many of them the state is shown: each is asked for by itself. */
const MOST_FOLLOWED = 20;

/** What becomes of a file behind its way to the server. */
function Becoming({ collection, id }: { collection: string; id: NonNullable<Upload["document"]> }) {
  const { data, error } = useDocument(collection, String(id), isUnderWay);
  if (isAbsent(error)) return <span className="faint">removed</span>;
  if (!data) return <State {...words.added} />;
  return (
    <>
      <Progress document={data} />
      {data.error && <span className="bad">{sentence(data.error.message)}</span>}
    </>
  );
}

export function Sending({ collection }: { collection: string }) {
  const own = uploads.use().filter((upload) => upload.collection === collection);
  if (own.length === 0) return null;
  const unsent = own.filter(({ state }) => state === "waiting" || state === "sending").length;
  const followed = new Set(own.filter(({ state }) => state === "added").slice(-MOST_FOLLOWED));
  const failed = own.filter(({ state }) => state === "failed").length;
  return (
    <div className="sending">
      <div className="row">
        <strong role="status">{unsent > 0 ? `${plural(unsent, "file")} to send` : failed > 0 ? `${plural(failed, "file")} not sent` : "All files are sent."}</strong>
        {failed > 0 && unsent === 0 && <Button onClick={() => void uploads.retry(collection)}>Try again</Button>}
        {unsent < own.length && <Button kind="plain" onClick={() => uploads.clear(collection)}>Clear</Button>}
      </div>
      <ul aria-label="Sent files">
        {own.map((upload) => {
          const { id, name, state, why, document } = upload;
          return (
            <li key={id} className="row">
              {document === undefined ? <span className="clip">{name}</span> : <Link className="clip" href={addressOfDocument(collection, document)}>{name}</Link>}
              {document !== undefined && followed.has(upload) ? <Becoming collection={collection} id={document} /> : <State {...words[state]} />}
              {why && <span className="bad">{why}</span>}
            </li>
          );
        })}
      </ul>
    </div>
  );
}
