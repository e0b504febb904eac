import { titleOf } from "../api/words";

interface Props {
  label: string;
  choices: readonly { title: string; value: string | undefined }[];
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}

/** A few exclusive choices, one of which is on. */
export function Chips({ label, choices, value, onChange }: Props) {
  return (
    <div className="chips" role="group" aria-label={label}>
      {choices.map(({ title, value: own }) => (
        <button key={title} type="button" className="chip" aria-pressed={value === own} onClick={() => onChange(own)}>
          {title}
        </button>
      ))}
    </div>
  );
}

export const choicesOf = (names: readonly string[]) =>
  names.map((name) => ({ title: titleOf(name), value: name as string | undefined }));
