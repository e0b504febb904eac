// Which words of two texts differ. Pure.

export interface Piece {
  kind: "same" | "removed" | "added";
  text: string;
}

/** Words, spaces and signs, each by itself. */
const cut = (text: string): string[] => text.match(/\s+|[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu) ?? [];

/** Of the middle, which differs: longer ones are shown as a whole. */
const MOST_CELLS = 4_000_000;

function pushed(pieces: Piece[], kind: Piece["kind"], text: string): void {
  const last = pieces.at(-1);
  if (text === "") return;
  if (last?.kind === kind) last.text += text;
  else pieces.push({ kind, text });
}

/** The lengths of the longest common parts of what is left, by places in both. */
function lengthsOf(before: readonly string[], after: readonly string[]): Uint16Array[] {
  const rows = Array.from({ length: before.length + 1 }, () => new Uint16Array(after.length + 1));
  for (let left = before.length - 1; left >= 0; left -= 1)
    for (let right = after.length - 1; right >= 0; right -= 1) {
      const [own, next] = [rows[left] as Uint16Array, rows[left + 1] as Uint16Array];
      own[right] = before[left] === after[right] ? (next[right + 1] ?? 0) + 1 : Math.max(next[right] ?? 0, own[right + 1] ?? 0);
    }
  return rows;
}

export function wordDiff(before: string, after: string): Piece[] {
  const [old, fresh] = [cut(before), cut(after)];
  let begin = 0;
  while (begin < Math.min(old.length, fresh.length) && old[begin] === fresh[begin]) begin += 1;
  let end = 0;
  while (end < Math.min(old.length, fresh.length) - begin && old[old.length - 1 - end] === fresh[fresh.length - 1 - end]) end += 1;
  const [left, right] = [old.slice(begin, old.length - end), fresh.slice(begin, fresh.length - end)];
  const pieces: Piece[] = [];
  pushed(pieces, "same", old.slice(0, begin).join(""));
  if (left.length * right.length > MOST_CELLS || Math.max(left.length, right.length) > 0xffff) {
    pushed(pieces, "removed", left.join(""));
    pushed(pieces, "added", right.join(""));
  } else {
    const lengths = lengthsOf(left, right);
    let [at, rightAt] = [0, 0];
    while (at < left.length || rightAt < right.length) {
      const [word, other] = [left[at], right[rightAt]];
      if (word !== undefined && word === other) {
        pushed(pieces, "same", word);
        at += 1;
        rightAt += 1;
      } else if (word !== undefined && (other === undefined || (lengths[at + 1]?.[rightAt] ?? 0) >= (lengths[at]?.[rightAt + 1] ?? 0))) {
        pushed(pieces, "removed", word);
        at += 1;
      } else {
        pushed(pieces, "added", other ?? "");
        rightAt += 1;
      }
    }
  }
  pushed(pieces, "same", old.slice(old.length - end).join(""));
  return pieces;
}
