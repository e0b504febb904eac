import type { ButtonHTMLAttributes, ReactNode } from "react";

interface Props extends ButtonHTMLAttributes<HTMLButtonElement> {
  kind?: "main" | "danger" | "plain";
  /** Why it cannot be pressed. It stays reachable by keyboard, so that the reason can be read. */
  refusal?: string | undefined;
  children: ReactNode;
}

export function Button({ kind, refusal, className = "", onClick, title, ...rest }: Props) {
  return (
    <button
      type="button"
      {...rest}
      className={`button ${kind ?? ""} ${className}`}
      title={refusal ?? title}
      aria-disabled={refusal ? true : undefined}
      onClick={refusal ? (event) => event.preventDefault() : onClick}
    />
  );
}
