import { useState } from "react";

import { Dialog } from "../ui/dialog";
import { Loaded } from "../ui/feedback";
import { Field } from "../ui/field";
import { More } from "../ui/keyset-list";
import { toast } from "../ui/toast";
import { type Asked, useChanged } from "./asked";
import { restoreVersion, usualVersion } from "./operate";
import { useVersions } from "./queries";

/** A version's document becomes the draft. */
export function Restore({ flow, onClose }: Asked) {
  const changed = useChanged();
  const versions = useVersions(flow.name);
  const [chosen, setChosen] = useState("");
  const version = chosen || String(usualVersion(flow, versions.rows?.map(({ version: number }) => number) ?? []));
  const isDraft = !flow.changed && version === String(flow.published_version);
  const restore = async () => {
    await restoreVersion(flow, version).finally(changed);
    toast(`v${version} of ${flow.name} is the draft now.`);
  };
  return (
    <Dialog title={`Restore a version of ${flow.name}?`} act="Restore" danger={flow.changed} onAct={restore} onClose={onClose}>
      <p className="soft">The version's document becomes the draft. {flow.changed && "It replaces the present draft, which was never published."} Nothing is published.</p>
      <Loaded query={{ ...versions, data: versions.rows }}>
        {(all) => (
          <Field label="Version">
            {(props) => (
              <select className="pick" {...props} value={version} onChange={(event) => setChosen(event.target.value)}>
                {all.map(({ version: number, note, published_by }) => <option key={number} value={String(number)}>{`v${number} by ${published_by}${note ? `: ${note}` : ""}`}</option>)}
              </select>
            )}
          </Field>
        )}
      </Loaded>
      {isDraft && <p role="status">This version is the draft already.</p>}
      <More list={versions} />
    </Dialog>
  );
}
