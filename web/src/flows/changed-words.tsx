import { wordDiff } from "./word-diff";

/** A text before and after in one, with the words that differ. */
export function ChangedWords({ name, before, after }: { name: string; before: string; after: string }) {
  return (
    <pre className="written changed-words" tabIndex={0} role="group" aria-label={name}>
      {wordDiff(before, after).map(({ kind, text }, index) => (kind === "same" ? text : kind === "removed" ? <del key={index}>{text}</del> : <ins key={index}>{text}</ins>))}
    </pre>
  );
}
