import { useEffect, useState } from "react";

import { ageText, clockText, fullText, timesIn, useZone } from "./zone";

// One timer for all ages on a page.
const tickers = new Set<(now: Date) => void>();
let timer: ReturnType<typeof setInterval> | undefined;

export function useNow(): Date {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    tickers.add(setNow);
    timer ??= setInterval(() => {
      const next = new Date();
      for (const ticker of tickers) ticker(next);
    }, 5_000);
    return () => {
      tickers.delete(setNow);
      if (tickers.size > 0) return;
      clearInterval(timer);
      timer = undefined;
    };
  }, []);
  return now;
}

/** A text of the server, its times as the reader wants them: it writes "2026-11-30 08:07:31Z". */
export function TextWithTimes({ text }: { text: string | null | undefined }) {
  return timesIn(text ?? "").map(({ words, at }, index) => (at ? <Time key={index} at={at} /> : words));
}

/** A stored time: the clock, or with `age` how long ago. The title has all of it, with the zone. */
export function Time({ at, age }: { at: string | null | undefined; age?: boolean }) {
  const zone = useZone();
  const now = useNow();
  if (!at) return <span className="faint">–</span>;
  const time = new Date(at);
  if (Number.isNaN(time.getTime())) return <span>{at}</span>;
  return (
    <time dateTime={at} title={fullText(time, zone)} className="nowrap">
      {age ? ageText(time, now) : clockText(time, zone, now)}
    </time>
  );
}
