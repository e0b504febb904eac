import { useEffect, useState } from "react";

interface Props {
  name: string;
  label: string;
  value: string;
  change: (changes: Record<string, string | undefined>) => void;
  /** The key "/" leads to it. */
  search?: boolean;
}

/** A filter of the address. It applies by Enter or when it is left, so that typing asks the server nothing. */
export function FilterField({ name, label, value, change, search }: Props) {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  const apply = () => {
    if (text.trim() !== value) change({ [name]: text.trim() || undefined });
  };
  return (
    <input
      className="field"
      aria-label={label}
      placeholder={label}
      value={text}
      data-search={search ? "" : undefined}
      onChange={(event) => setText(event.target.value)}
      onBlur={apply}
      onKeyDown={(event) => event.key === "Enter" && apply()}
    />
  );
}
