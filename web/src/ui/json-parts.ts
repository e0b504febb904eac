// A JSON value as the rows of a tree, at a cost that does not grow with what is not shown. Pure.

export const isBranch = (value: unknown): value is object => typeof value === "object" && value !== null;

export const membersOf = (value: object): number => (Array.isArray(value) ? value.length : Object.keys(value).length);

/** The first members with their names. */
export function headOf(value: object, limit: number): (readonly [string, unknown])[] {
  if (Array.isArray(value)) return value.slice(0, limit).map((member: unknown, index) => [String(index), member]);
  const named = value as Record<string, unknown>;
  return Object.keys(named).slice(0, limit).map((name) => [name, named[name]]);
}

/** Whether its text has more characters than that, by and large. It stops looking as soon as it has. */
export function exceeds(value: unknown, limit: number): boolean {
  let size = 0;
  const count = (part: unknown): boolean => {
    size += typeof part === "string" ? part.length + 2 : 4;
    if (size > limit) return true;
    if (Array.isArray(part)) return part.some(count);
    if (!isBranch(part)) return false;
    for (const name in part) {
      size += name.length + 3;
      if (count((part as Record<string, unknown>)[name])) return true;
    }
    return false;
  };
  return count(value);
}

export interface Row {
  path: string; // JSON Pointer
  level: number; // 1: the whole
  name: string | undefined;
  value: unknown;
  open: boolean | undefined; // of a branch
  place: number; // among its siblings, from 1 on
  siblings: number;
  /** Not a member, but what stands for so many that are left out. */
  rest?: number;
}

/** What a person did to a tree. `limits`: how many members of a branch are shown, or characters of a text. */
export interface Unfolding {
  toggled: ReadonlySet<string>;
  limits: ReadonlyMap<string, number>;
}

/** Members of a branch that are shown at first; "more" adds as many. */
export const MEMBERS = 1_000;

const escaped = (name: string) => name.replaceAll("~", "~0").replaceAll("/", "~1");

/** What is seen. Levels up to `depth` are open at first. */
export function rowsOf(whole: unknown, depth: number, { toggled, limits }: Unfolding): Row[] {
  const rows: Row[] = [];
  const add = (path: string, level: number, name: string | undefined, value: unknown, place: number, siblings: number) => {
    const open = isBranch(value) ? level <= depth !== toggled.has(path) : undefined;
    rows.push({ path, level, name, value, open, place, siblings });
    if (!open || !isBranch(value)) return;
    const count = membersOf(value);
    const limit = limits.get(path) ?? MEMBERS;
    const [rest, shown] = [count - limit, Math.min(count, limit)];
    const beside = shown + (rest > 0 ? 1 : 0);
    headOf(value, limit).forEach(([member, part], index) => add(`${path}/${escaped(member)}`, level + 1, member, part, index + 1, beside));
    if (rest > 0) rows.push({ path, level: level + 1, name: undefined, value: undefined, open: undefined, place: beside, siblings: beside, rest });
  };
  add("", 1, undefined, whole, 1, 1);
  return rows;
}

/** The row that holds the one at `index`. */
export function ownerOf(rows: readonly Row[], index: number): number {
  const level = rows[index]?.level ?? 1;
  for (let above = index - 1; above >= 0; above -= 1) if ((rows[above]?.level ?? 0) < level) return above;
  return index;
}
