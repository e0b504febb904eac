// The models that the configuration reaches, and a tiny question to one of them.
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";

import { get, post, type Schema } from "../api/client";
import { useRefusal } from "../api/me";
import { Button } from "../ui/button";
import { Dialog } from "../ui/dialog";
import { Empty, Loaded } from "../ui/feedback";
import { FilterField } from "../ui/filter-field";
import { useFilters } from "../ui/filters";
import { costText, plural, tokensText } from "../ui/numbers";
import { Facts, Page } from "../ui/page";
import { State } from "../ui/state";
import { type Column, Table } from "../ui/table";
import { durationText } from "../ui/zone";

type Model = Schema["Model"];
type Outcome = Schema["ModelTest"];

function Answer({ outcome }: { outcome: Outcome }) {
  return (
    <div className="stack">
      <p className="row" role="status"><State name={outcome.ok ? "ok" : "failed"} words={outcome.ok ? "It answers" : "It does not answer"} /></p>
      {outcome.failure && <p className="bad">{outcome.failure}</p>}
      {outcome.ok && <blockquote className="said">{outcome.answer || "An empty answer."}</blockquote>}
      <Facts
        all={[
          ["Model", outcome.model],
          ["Took", durationText(outcome.took_ms)],
          ["Tokens", outcome.ok ? `${tokensText(outcome.tokens_in)} in, ${tokensText(outcome.tokens_out)} out` : null],
          ["Cost", outcome.cost ? costText(outcome.cost) : null],
        ]}
      />
    </div>
  );
}

function Test({ entry }: { entry: string }) {
  const refusal = useRefusal();
  const [asked, setAsked] = useState(false);
  const ask = useMutation({ mutationFn: () => post("/api/v1/models/{entry}/test", {}, { params: { entry } }) });
  const close = () => {
    setAsked(false);
    ask.reset();
  };
  return (
    <>
      <Button refusal={refusal} title={`Asks ${entry} a tiny question.`} onClick={() => setAsked(true)}>Test {entry}</Button>
      {asked && (
        <Dialog title={`Test ${entry}`} act={ask.data ? "Ask again" : "Ask"} onAct={() => ask.mutateAsync().then(() => "stay")} onClose={close}>
          <p className="soft">Asks the model one tiny question. It costs what such a call costs, and counts against the budgets.</p>
          {ask.data && <Answer outcome={ask.data} />}
        </Dialog>
      )}
    </>
  );
}

const yesNo = (value: boolean | null) => (value === null ? "" : value ? "yes" : "no");

const columns: Column<Model>[] = [
  { name: "Model", kind: "wide", show: ({ name }) => <span className="clip mono">{name}</span> },
  { name: "Provider", show: ({ provider }) => provider },
  { name: "Context", kind: "number", named: true, show: ({ context }) => context !== null && tokensText(context) },
  { name: "Tools", named: true, show: ({ tools }) => yesNo(tools) },
  { name: "Images", named: true, show: ({ vision }) => yesNo(vision) },
  { name: "Cost of a million tokens", named: true, show: ({ price }) => price && <span className="nowrap">{costText(price.input)} in, {costText(price.output)} out</span> },
  { name: "Configured as", show: ({ entries }) => <span className="row">{entries.map((entry) => <Test key={entry} entry={entry} />)}</span> },
];

export function ModelsPage() {
  const [filters, change] = useFilters(["words"]);
  const models = useQuery({ queryKey: ["models"], queryFn: ({ signal }) => get("/api/v1/models", { signal }) });
  const words = (filters.words ?? "").toLowerCase();
  return (
    <Page title="Models" about="Models of the configured providers. The models that agents ask come first.">
      <div className="filters"><FilterField name="words" label="Name or provider" value={filters.words ?? ""} change={change} search /></div>
      <Loaded query={models}>
        {({ models: all, failures }) => {
          const shown = all.filter(({ name, provider }) => `${name} ${provider}`.toLowerCase().includes(words));
          const sorted = [...shown].sort((a, b) => Number(b.entries.length > 0) - Number(a.entries.length > 0));
          return (
            <>
              {failures.length > 0 && <p className="bad">{plural(failures.length, "provider")} could not be asked: {failures.join("; ")}</p>}
              {sorted.length === 0 ? <Empty title={words ? "No model matches." : "There is no model."} /> : <Table label="Models" columns={columns} rows={sorted} keyOf={({ name, provider }) => `${provider} ${name}`} />}
            </>
          );
        }}
      </Loaded>
    </Page>
  );
}
