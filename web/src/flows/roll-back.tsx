import { Dialog } from "../ui/dialog";
import { toast } from "../ui/toast";
import { type Asked, useChanged } from "./asked";
import { rollBack } from "./operate";

/** An earlier version is published again, as the next one. */
export function RollBack({ flow, version, onClose }: Asked & { version: number }) {
  const changed = useChanged();
  const act = async () => {
    const { published_version } = await rollBack(flow, version).finally(changed);
    toast(`${flow.name} runs as in v${version} again, as v${published_version}.`);
  };
  return (
    <Dialog title={`Roll ${flow.name} back to v${version}?`} act="Roll back" danger={flow.changed} onAct={act} onClose={onClose}>
      <p className="soft">New executions run v{version} again: it is published as the next version. Running ones stay with the version that they began with. {flow.changed && "The present draft, which was never published, is replaced."}</p>
    </Dialog>
  );
}
