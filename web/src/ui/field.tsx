import { type ReactNode, useId } from "react";

interface Props {
  label: string;
  /** What is wrong with it, below it. */
  mistake?: string | undefined;
  hint?: ReactNode;
  /** Gets what names and describes the control. */
  children: (props: { id: string; "aria-describedby"?: string; "aria-invalid"?: true }) => ReactNode;
}

/** A control of a form with its name, and with its own mistake where it has one. */
export function Field({ label, mistake, hint, children }: Props) {
  const id = useId();
  const about = `${id}about`;
  return (
    <div className="label">
      <label htmlFor={id}>{label}</label>
      {children({ id, ...(mistake || hint ? { "aria-describedby": about } : {}), ...(mistake ? { "aria-invalid": true as const } : {}) })}
      {(mistake || hint) && <span id={about} className={mistake ? "bad" : "faint"} {...(mistake ? { role: "alert" } : {})}>{mistake ?? hint}</span>}
    </div>
  );
}
