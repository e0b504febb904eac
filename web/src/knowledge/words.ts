// Collections and documents in words, and metadata as people write them. Pure.
import { plural } from "../ui/numbers";
import type { Collection, Document, Metadata, Result } from "./queries";

const units = ["bytes", "KiB", "MiB", "GiB", "TiB"];

/** "0 bytes", "812 KiB", "1.4 MiB". */
export function sizeText(bytes: number): string {
  const power = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log2(Math.max(1, bytes)) / 10)));
  const size = bytes / 1024 ** power;
  return `${power > 0 && size < 10 ? size.toFixed(1) : Math.round(size)} ${units[power]}`;
}

/** A job is at work on it. */
export const isUnderWay = ({ state }: Pick<Document, "state">): boolean => state === "reading";

/** What the dot of its state shows, and what is said of it. */
export function stateOf({ state, parts, parts_done }: Pick<Document, "state" | "parts" | "parts_done">): { name: string; words: string } {
  if (!isUnderWay({ state })) return { name: state, words: state };
  return { name: "running", words: parts > 0 ? `reading, ${parts_done} of ${plural(parts, "part")}` : "reading" };
}

/** How many of its parts have a vector, where some have: "40 of 120 parts". */
export function vectorWords({ parts, embedded }: Pick<Document, "parts" | "embedded">): string | undefined {
  return embedded > 0 ? `${embedded} of ${plural(parts, "part")}` : undefined;
}

export function accessWords({ flows, people }: Collection["access"]): string {
  const who = people === "owners" ? "owners only" : "all allowed people";
  if (!flows) return `every flow, ${who}`;
  return `${flows.length > 0 ? flows.join(", ") : "no flow"}, ${who}`;
}

/** Where in its document a part is: "page 3 · Setup > Network". */
export const placeWords = ({ page, heading }: { page?: number | null; heading?: string }): string => [page == null ? "" : `page ${page}`, heading].filter(Boolean).join(" · ");

export const scoreText = (score: number): string => String(Number(score.toPrecision(3)));

/** Why a search was one of words alone; undefined where vectors were searched, too. */
export function wordsAlone(degraded: boolean | undefined, { parts, embedded }: Pick<Collection, "parts" | "embedded">): string | undefined {
  if (degraded) return "Vectors were not used: the server that makes them did not answer, or a budget is empty. These results come from the words alone.";
  if (parts === 0 || embedded >= parts) return undefined;
  if (embedded === 0) return "Vectors were not used: no part of this collection has one. These results come from the words alone.";
  return `${plural(parts - embedded, "part")} of this collection ${parts - embedded === 1 ? "has" : "have"} no vector yet, and can be found by words alone.`;
}

/** A number, true, false or anything else that is JSON is that value; the rest is a text. */
function valueOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

/** From lines such as "year: 2026". Throws words for the person who wrote them. */
export function metadataOf(text: string): Metadata {
  const metadata: Metadata = {};
  for (const [index, line] of text.split("\n").entries()) {
    if (!line.trim()) continue;
    const [, name = "", value = ""] = /^([^:]+):(.*)$/.exec(line) ?? [];
    if (!name.trim() || !value.trim()) throw new Error(`Line ${index + 1} is not of the form name: value.`);
    if (Object.hasOwn(metadata, name.trim())) throw new Error(`Line ${index + 1} repeats ${name.trim()}.`);
    Object.defineProperty(metadata, name.trim(), { value: valueOf(value.trim()), enumerable: true }); // also __proto__
  }
  return metadata;
}

/** As a parameter of an address; undefined where there are none. */
export const metadataParameter = (metadata: Metadata): string | undefined => (Object.keys(metadata).length > 0 ? JSON.stringify(metadata) : undefined);

/** One of its values, as a line shows it. */
export const valueText = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));

export const isUrl = (source: string): boolean => /^https?:\/\//.test(source);

/** Of a file, as the API has it. */
const MOST_BYTES = 32 * 1024 ** 2;

/** Why a file is not even sent; undefined where it can be. */
export function refusalOfFile({ size }: { size: number }): string | undefined {
  if (size === 0) return "The file is empty.";
  return size > MOST_BYTES ? `The file has ${sizeText(size)}. ${sizeText(MOST_BYTES)} is the most: split it.` : undefined;
}

/** The first of its characters, and whether there are more. */
export function headOf({ text }: Pick<Result, "text">, most = 600): { head: string; isCut: boolean } {
  const characters = [...text];
  return characters.length <= most ? { head: text, isCut: false } : { head: `${characters.slice(0, most).join("")}…`, isCut: true };
}
