import { Field } from "../ui/field";
import type { Flow } from "./queries";

export type Chosen = "published" | "draft";

/** What people usually mean: the version that is published, where there is one. */
export const usualVersion = ({ published_version }: Flow): Chosen => (published_version === null ? "draft" : "published");

export function VersionChoice({ flow: { published_version }, value, onChange }: { flow: Flow; value: Chosen; onChange: (chosen: Chosen) => void }) {
  return (
    <Field label="Version">
      {(props) => (
        <select className="pick" {...props} value={value} onChange={(event) => onChange(event.target.value as Chosen)}>
          {published_version !== null && <option value="published">{`v${published_version}, which is published`}</option>}
          <option value="draft">the draft</option>
        </select>
      )}
    </Field>
  );
}
