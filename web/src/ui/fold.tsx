import { type ReactNode, useState } from "react";

interface Props {
  summary: ReactNode;
  children: ReactNode;
  className?: string;
  /** A class of the line that is always seen. */
  line?: string;
  begins?: boolean;
  /** Hears of it: a part that leaves the page and comes back can then begin as it was. */
  onToggle?: (open: boolean) => void;
}

/** A part that opens by a click. What is closed is not built: it may be large. `begins`: open at first. */
export function Fold({ summary, children, className, line, begins = false, onToggle }: Props) {
  const [open, setOpen] = useState(begins);
  const toggle = (next: boolean) => {
    setOpen(next);
    onToggle?.(next);
  };
  return (
    <details className={className} open={open} onToggle={(event) => toggle(event.currentTarget.open)}>
      <summary className={line}>{summary}</summary>
      {open && children}
    </details>
  );
}
