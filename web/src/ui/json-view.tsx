// A JSON value as a tree. The whole of a large one is only printed for a download.
import { useMemo } from "react";

import { printJson } from "../api/json";
import { exceeds } from "./json-parts";
import { JsonTree } from "./json-tree";
import "./json-view.css";
import { saveFile } from "./save";

/** What is shown as a tree at once; values of the server are asked for with this bound. */
export const SHOWN_BYTES = 256 * 1024;

interface Props {
  value: unknown;
  name: string;
  /** Where the whole is, of a value whose beginning alone is here. */
  whole?: string | undefined;
}

export function JsonView({ value, name, whole }: Props) {
  const large = useMemo(() => whole !== undefined || exceeds(value, SHOWN_BYTES), [value, whole]);
  return (
    <div className="json">
      {large && (
        <p>
          More than {SHOWN_BYTES / 1024} KiB: its beginning.{" "}
          {whole === undefined ? <button type="button" onClick={() => saveFile(`${name}.json`, "application/json", [printJson(value, 2)])}>Download all of it</button> : <a href={whole} download>Download all of it</a>}
        </p>
      )}
      <JsonTree value={value} name={name} depth={large ? 1 : 2} />
    </div>
  );
}
