import type { ButtonHTMLAttributes, ReactNode } from "react";

interface Props extends ButtonHTMLAttributes<HTMLButtonElement> {
  kind?: "main" | "danger" | "plain";
  /** Why it cannot be pressed. */
  refusal?: string | undefined;
  children: ReactNode;
}

/** One that cannot be pressed stays reachable by keyboard: its reason can be read, and it keeps the focus while it works. */
export function Button({ kind, refusal, disabled, className = "", onClick, title, ...rest }: Props) {
  const isOff = refusal !== undefined || disabled === true;
  return (
    <button
      type="button"
      {...rest}
      className={`button ${kind ?? ""} ${className}`}
      title={refusal ?? title}
      aria-disabled={isOff || undefined}
      onClick={isOff ? (event) => event.preventDefault() : onClick}
    />
  );
}
