// What is left of the budgets of today; absent where the configuration has none.
import type { Schema } from "../api/client";
import { Failure } from "../ui/feedback";
import { useKeyset } from "../ui/keyset-list";
import { costText, countText, tokensText } from "../ui/numbers";
import { Panel } from "../ui/page";
import { State } from "../ui/state";
import { type Column, Table } from "../ui/table";
import { Time } from "../ui/time";

type Budget = Schema["Budget"];

const ofLimit = (spent: string, limit: string | null) => (limit === null ? spent : `${spent} of ${limit}`);

const columns: Column<Budget>[] = [
  { name: "Budget", kind: "wide", show: ({ scope, subject }) => <span className="clip">{subject ? `${scope} ${subject}` : "everybody"}</span> },
  { name: "State", show: ({ is_spent }) => <State name={is_spent ? "failed" : "active"} words={is_spent ? "spent" : "open"} /> },
  { name: "Calls", kind: "number", named: true, show: ({ spent, limit }) => ofLimit(countText(spent.calls), limit?.calls == null ? null : countText(limit.calls)) },
  { name: "Tokens", kind: "number", named: true, show: ({ spent, limit }) => ofLimit(tokensText(spent.tokens), limit?.tokens == null ? null : tokensText(limit.tokens)) },
  { name: "Cost", kind: "number", named: true, show: ({ spent, limit }) => ofLimit(costText(spent.cost), limit?.cost == null ? null : costText(limit.cost)) },
  { name: "Next day begins", named: true, show: ({ opens_at }) => <Time at={opens_at} age /> },
];

export function Budgets() {
  const { rows, error, refetch } = useKeyset("/api/v1/budgets", "budgets", ["budgets"]);
  if (!rows && error) return <Failure error={error} again={() => void refetch()} />;
  if (!rows?.length) return null;
  return (
    <Panel flush title="Budgets of today">
      <Table label="Budgets" columns={columns} rows={rows} keyOf={({ scope, subject }) => `${scope} ${subject}`} />
    </Panel>
  );
}
