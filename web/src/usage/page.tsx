import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";

import { get } from "../api/client";
import { capital, titleOf } from "../api/words";
import { Chart } from "../ui/chart";
import { Chips, choicesOf } from "../ui/chips";
import { Empty, Loaded } from "../ui/feedback";
import { useFilters } from "../ui/filters";
import { costText, countText, tokensText } from "../ui/numbers";
import { Page } from "../ui/page";
import { type Column, Table } from "../ui/table";
import { Budgets } from "./budgets";
import { daysUntil, dimensions, type Grouping, groupingOf, keyOf, type Measure, measureOf, measures, nameOf, pointsOf, type Usage, USUAL_DAYS } from "./dimensions";

const MOST_ROWS = 1_000; // that the server answers

const spans = [{ title: "Today", value: "1" }, { title: "7 days", value: "7" }, { title: "30 days", value: undefined }, { title: "90 days", value: "90" }, { title: "A year", value: "365" }];

const columns = (grouping: Grouping): Column<Usage>[] => [
  ...grouping.map((by, place): Column<Usage> => ({ name: titleOf(by), ...(place === 0 ? { kind: "wide" } : {}), show: (row) => <span className="clip">{nameOf(row, by)}</span> })),
  { name: "Calls", kind: "number", named: true, show: ({ calls }) => countText(calls) },
  { name: "Tokens in", kind: "number", named: true, show: ({ tokens_in }) => tokensText(tokens_in) },
  { name: "Cached", kind: "number", named: true, show: ({ tokens_cached }) => tokensText(tokens_cached) },
  { name: "Tokens out", kind: "number", named: true, show: ({ tokens_out }) => tokensText(tokens_out) },
  { name: "Cost", kind: "number", named: true, show: ({ cost }) => costText(cost) },
];

const textOf: Record<Measure, (value: number) => string> = { cost: costText, calls: countText, tokens: tokensText };

interface DrawnProps {
  rows: readonly Usage[];
  by: Grouping[0];
  measure: Measure;
  zone: string;
  span: number;
  change: (measure: string | undefined) => void;
}

function Drawn({ rows, by, measure, zone, span, change }: DrawnProps) {
  const points = useMemo(() => pointsOf(rows, by, measure, daysUntil(new Date(), span, zone)), [rows, by, measure, span, zone]);
  const title = `${capital(measure)} by ${by === "day" ? `day in ${zone}` : by}`;
  return (
    <>
      <div className="filters"><Chips label="Drawn" choices={choicesOf(measures)} value={measure} onChange={change} /></div>
      <Chart title={title} points={points} days={by === "day"} textOf={textOf[measure]} />
    </>
  );
}

export function UsagePage() {
  const [filters, change] = useFilters(["by", "then", "days", "measure"]);
  const grouping = groupingOf(filters.by, filters.then);
  const [by, then] = grouping;
  const words = grouping.join(",");
  const usage = useQuery({
    queryKey: ["usage", words, filters.days],
    queryFn: ({ signal }) => get("/api/v1/usage", { query: { by: words, days: filters.days }, signal }),
  });
  const others = choicesOf(dimensions.filter((name) => name !== by));
  return (
    <Page title="Usage" about={<>Paid calls of models, by the configured prices.{usage.data && ` Days begin at midnight in ${usage.data.timezone}.`}</>}>
      <Budgets />
      <div className="filters">
        <Chips label="By" choices={choicesOf(dimensions)} value={by} onChange={(next) => change({ by: next === "day" ? undefined : next, ...(next === then ? { then: undefined } : {}) })} />
        <Chips label="And by" choices={[{ title: "Nothing else", value: undefined }, ...others]} value={then} onChange={(next) => change({ then: next })} />
        <Chips label="Span" choices={spans} value={filters.days} onChange={(days) => change({ days })} />
      </div>
      <Loaded query={usage}>
        {({ usage: rows, timezone }) =>
          rows.length === 0 ? (
            <Empty title="No paid call in this time." />
          ) : (
            <>
              <Drawn rows={rows} by={by} measure={measureOf(filters.measure, rows)} zone={timezone} span={Number(filters.days ?? USUAL_DAYS)} change={(measure) => change({ measure })} />
              <Table label="Usage" columns={columns(grouping)} rows={rows} keyOf={(row) => keyOf(row, grouping)} />
              {rows.length >= MOST_ROWS && <p className="faint">Only the first thousand rows are shown.</p>}
            </>
          )
        }
      </Loaded>
    </Page>
  );
}
