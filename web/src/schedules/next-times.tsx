import { useQuery } from "@tanstack/react-query";

import { get } from "../api/client";
import { mistakesOf, wordsOf } from "../api/problem";
import { useSettled } from "./settled";

/** The next times of an expression as the server computes them, and its mistakes by member. */
export function useNextTimes(cron: string, timezone: string) {
  const expression = useSettled(cron.trim());
  const zone = useSettled(timezone.trim());
  const preview = useQuery({
    queryKey: ["schedule-times", expression, zone],
    queryFn: ({ signal }) => get("/api/v1/schedule-times", { query: { cron: expression, timezone: zone || undefined }, signal }),
    enabled: expression !== "",
    retry: false,
  });
  const mistakes = expression ? mistakesOf(preview.error) : new Map<string, string>();
  const failure = preview.error && mistakes.size === 0 ? wordsOf(preview.error) : "";
  return { times: preview.error ? [] : (preview.data?.times ?? []), mistakes, failure };
}

export function NextTimes({ times }: { times: readonly string[] }) {
  if (times.length === 0) return null;
  return (
    <div role="status">
      <p className="faint">It runs next at</p>
      <ol className="plain">{times.map((time) => <li key={time} className="mono">{time.replace("T", " ")}</li>)}</ol>
    </div>
  );
}
