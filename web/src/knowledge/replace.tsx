// A document is replaced under its name, with its metadata: a file by another file, an address by what it has now.
import { useRef } from "react";

import { post, remove } from "../api/client";
import { useRefusal } from "../api/me";
import { ActButton } from "../ui/act-button";
import { Button } from "../ui/button";
import { plural } from "../ui/numbers";
import { changedKeys, type Document } from "./queries";
import { uploads } from "./sending";
import { isUrl, metadataParameter } from "./words";

interface Props {
  collection: string;
  document: Document;
}

function ReplaceFile({ collection, document: { name, metadata } }: Props) {
  const chooser = useRef<HTMLInputElement>(null);
  const refusal = useRefusal();
  const send = (file: File | undefined) => file && uploads.add(collection, [{ name, file }], metadataParameter(metadata));
  return (
    <>
      <Button refusal={refusal} title={`Choose a file that becomes the new ${name}.`} onClick={() => chooser.current?.click()}>Replace</Button>
      <input
        ref={chooser}
        type="file"
        hidden
        aria-label={`New file for ${name}`}
        onChange={({ target }) => {
          void send(target.files?.[0]);
          target.value = "";
        }}
      />
    </>
  );
}

export function ReplaceDocument(props: Props) {
  const { collection, document: { name, source, metadata } } = props;
  if (!isUrl(source)) return <ReplaceFile {...props} />;
  const act = () => post("/api/v1/collections/{name}/documents", { url: source, metadata }, { params: { name: collection } });
  return <ActButton act={act} changes={changedKeys} says={`Read ${source} again.`} done={`${name} is read again. If it has not changed, it stays.`}>Read again</ActButton>;
}

/** `onRemoved` is called before the lists are read again. */
export function RemoveDocument({ collection, document: { id, name, parts }, onRemoved }: Props & { onRemoved?: () => void }) {
  const act = async () => {
    await remove("/api/v1/collections/{name}/documents/{id}", { params: { name: collection, id } });
    onRemoved?.();
  };
  return (
    <ActButton danger act={act} changes={changedKeys} says={`Remove ${name}?`} done={`${name} is removed.`} ask={<p className="soft">{parts > 0 ? `Flows no longer find its ${plural(parts, "part")}.` : "Nothing of it was found so far."} The file itself is not kept: to have it again, add it again.</p>}>
      Remove
    </ActButton>
  );
}
