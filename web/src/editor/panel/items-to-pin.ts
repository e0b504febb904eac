// The items that came out of a node, as its record shows them. Pure.
import { isObject, type Parameters } from "../document/model";

/** What a view of an execution writes where it leaves something out. */
const mark = /… [0-9]+ (?:bytes )?more$/;

function isCut(value: unknown): boolean {
  if (typeof value === "string") return mark.test(value);
  if (Array.isArray(value)) return value.some(isCut);
  return isObject(value) && Object.values(value).some(isCut);
}

/** Of all its outputs. Undefined: nothing came out of it. "cut": the record has more than it shows. */
export function itemsToPin(outputs: Readonly<Record<string, unknown>>): Parameters[] | "cut" | undefined {
  const items = Object.values(outputs).flat();
  if (items.length === 0) return undefined;
  return isCut(items) || !items.every(isObject) ? "cut" : items;
}
