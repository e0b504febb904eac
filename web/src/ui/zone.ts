// Times as a person reads them. The zone is the browser's or UTC; it is always said, and a switch changes it.
import { makeStore } from "./store";

export type Zone = "local" | "UTC";
const stored = "postrider.zone";

function read(): Zone {
  try {
    return localStorage.getItem(stored) === "UTC" ? "UTC" : "local";
  } catch {
    return "local";
  }
}
const zone = makeStore<Zone>(typeof localStorage === "undefined" ? "UTC" : read());

export function setZone(next: Zone): void {
  try {
    localStorage.setItem(stored, next);
  } catch {
    // A browser without storage forgets it with the tab.
  }
  zone.set(next);
}

export const useZone = (): Zone => zone.use();

const options = (of: Zone): Intl.DateTimeFormatOptions => (of === "UTC" ? { timeZone: "UTC" } : {});

export function zoneName(of: Zone): string {
  if (of === "UTC") return "UTC";
  return Intl.DateTimeFormat().resolvedOptions().timeZone || "local time";
}

/** "14:03:07", with the date where it is another day than `now`. */
export function clockText(time: Date, of: Zone, now = new Date()): string {
  const day = (date: Date) => date.toLocaleDateString("en-CA", options(of));
  const clock = time.toLocaleTimeString("en-GB", options(of));
  if (day(time) === day(now)) return clock;
  return `${time.toLocaleDateString("en-GB", { ...options(of), day: "numeric", month: "short" })}, ${clock.slice(0, 5)}`;
}

/** "14:03", with the date where it is another day. */
export const minuteText = (time: Date, of: Zone, now = new Date()): string => clockText(time, of, now).replace(/^(\d\d:\d\d):\d\d$/, "$1");

/** The pieces of a text; those that are times of UTC have them as `at`. */
export const timesIn = (text: string): { words: string; at?: string }[] =>
  text.split(/(\d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ)/).map((words, index) => (index % 2 === 1 ? { words, at: words.replace(" ", "T") } : { words }));

/** Everything, for a title: "2026-11-29 14:03:07.250 Europe/Berlin". */
export function fullText(time: Date, of: Zone): string {
  const parts = `${time.toLocaleDateString("en-CA", options(of))} ${time.toLocaleTimeString("en-GB", options(of))}`;
  return `${parts}.${String(time.getMilliseconds()).padStart(3, "0")} ${zoneName(of)}`;
}

export function ageText(from: Date, now: Date): string {
  const seconds = Math.round((now.getTime() - from.getTime()) / 1000);
  const past = seconds >= 0;
  const span = Math.abs(seconds) < 60 ? `${Math.abs(seconds)} s` : durationText(Math.abs(seconds) * 1000);
  return past ? `${span} ago` : `in ${span}`;
}

/** "250 ms", "1.4 s", "3 min", "2 h 5 min", "3 d". */
export function durationText(milliseconds: number): string {
  if (milliseconds < 1000) return `${milliseconds < 10 ? Math.round(milliseconds * 10) / 10 : Math.round(milliseconds)} ms`;
  const seconds = milliseconds / 1000;
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 90) return `${Math.round(seconds)} s`;
  const minutes = seconds / 60;
  if (minutes < 90) return `${Math.round(minutes)} min`;
  const hours = minutes / 60;
  if (hours < 36) return `${Math.floor(hours)} h ${Math.round(minutes % 60)} min`;
  return `${Math.round(hours / 24)} d`;
}
