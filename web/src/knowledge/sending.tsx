// The files that this tab sends to a collection, and what became of each.
import { Link } from "wouter";

import { Button } from "../ui/button";
import { plural } from "../ui/numbers";
import { State } from "../ui/state";
import { addressOfDocument, readAgain } from "./queries";
import { makeUploads, type Upload } from "./uploads";

export const uploads = makeUploads(readAgain);

const words: Record<Upload["state"], { name: string; words: string }> = {
  waiting: { name: "scheduled", words: "waiting" },
  sending: { name: "running", words: "being sent" },
  added: { name: "done", words: "sent" },
  unchanged: { name: "idle", words: "unchanged: the collection has this file" },
  failed: { name: "failed", words: "not sent" },
};

export function Sending({ collection }: { collection: string }) {
  const own = uploads.use().filter((upload) => upload.collection === collection);
  if (own.length === 0) return null;
  const left = own.filter(({ state }) => state === "waiting" || state === "sending").length;
  const failed = own.filter(({ state }) => state === "failed").length;
  return (
    <div className="sending">
      <div className="row">
        <strong role="status">{left > 0 ? `${plural(left, "file")} to send` : failed > 0 ? `${plural(failed, "file")} not sent` : "All files are sent."}</strong>
        {failed > 0 && left === 0 && <Button onClick={() => void uploads.retry(collection)}>Try again</Button>}
        {left < own.length && <Button kind="plain" onClick={() => uploads.clear(collection)}>Clear</Button>}
      </div>
      <ul aria-label="Sent files">
        {own.map(({ id, name, state, why, document }) => (
          <li key={id} className="row">
            {document === undefined ? <span className="clip">{name}</span> : <Link className="clip" href={addressOfDocument(collection, document)}>{name}</Link>}
            <State {...words[state]} />
            {why && <span className="bad">{why}</span>}
          </li>
        ))}
      </ul>
    </div>
  );
}
