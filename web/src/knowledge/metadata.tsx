import { Field } from "../ui/field";

interface Props {
  label: string;
  value: string;
  hint: string;
  mistake: string | undefined;
  onChange: (value: string) => void;
}

/** Lines such as "year: 2026". */
export function MetadataField({ label, value, hint, mistake, onChange }: Props) {
  return <Field label={label} mistake={mistake} hint={hint}>{(props) => <textarea className="field mono" rows={3} spellCheck={false} {...props} value={value} onChange={({ target }) => onChange(target.value)} />}</Field>;
}
