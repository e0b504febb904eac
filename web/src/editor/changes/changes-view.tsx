// What the draft changes of the version that runs, drawn: what is new, other or gone has a sign, a line and a colour of
// its own. The node that is open shows its parameters with the words that differ.
import { useMemo, useState } from "react";

import { FlowView } from "../../canvas/flow-view";
import { Changes as ValueChanges } from "../../flows/diff";
import { useFlow, useVersion } from "../../flows/queries";
import { Button } from "../../ui/button";
import { Empty, Loaded } from "../../ui/feedback";
import { Fold } from "../../ui/fold";
import { useDesk, useDocument } from "../desk";
import { documentOf, type FlowDocument, nodeOf } from "../document/model";
import { ReplaysOfDraft } from "../run/replays";
import { changesBetween, changesOfNode } from "./changes";

function Drawn({ published, version, onClose }: { published: FlowDocument; version: number; onClose: () => void }) {
  const draft = useDocument();
  const [open, setOpen] = useState<string>();
  const { drawing, added, changed, removed, beside } = useMemo(() => changesBetween(published, draft), [published, draft]);
  const inside = (id: string) => {
    const [before, after] = [nodeOf(published, id), nodeOf(draft, id)];
    const values = changesOfNode(before, after);
    if (!before) return <p className="soft">It is new.</p>;
    if (!after) return <p className="soft">It is deleted.</p>;
    return values.length === 0 ? <p className="soft">It is as it was.</p> : <ValueChanges values={values} />;
  };
  return (
    <>
      <div className="editor-bar" role="status">
        <strong>The draft, compared with version {version}</strong>
        <span className="tag tone-good">+ {added} added</span>
        <span className="tag tone-warn">~ {changed} changed</span>
        <span className="tag tone-bad">− {removed} removed</span>
        {beside.length > 0 && <Fold className="changes-beside" summary="Settings or other parts differ, too"><ValueChanges values={beside} /></Fold>}
        <div className="row spread"><Button kind="main" onClick={onClose}>Back to the draft</Button></div>
      </div>
      <div className="editor-bar"><ReplaysOfDraft /></div>
      <FlowView label="Changes of the draft" drawing={drawing} open={open} onOpen={setOpen} inside={inside} />
    </>
  );
}

/** The version as it was published. */
function Compared({ version, onClose }: { version: number; onClose: () => void }) {
  const { session } = useDesk();
  const published = useVersion(session.name, version);
  return (
    <Loaded query={published}>
      {({ document }) => {
        const drawn = documentOf(document);
        return drawn ? <Drawn published={drawn} version={version} onClose={onClose} /> : <Empty title="The published version cannot be drawn." />;
      }}
    </Loaded>
  );
}

export function ChangesView({ onClose }: { onClose: () => void }) {
  const { session } = useDesk();
  return (
    <section className="live-run" aria-label="Changes">
      <Loaded query={useFlow(session.name)}>
        {({ published_version: version }) =>
          version === null ? (
            <Empty title="Nothing was published yet: all of it is new."><Button onClick={onClose}>Back to the draft</Button></Empty>
          ) : (
            <Compared version={version} onClose={onClose} />
          )
        }
      </Loaded>
    </section>
  );
}
