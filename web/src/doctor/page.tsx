import { useQuery } from "@tanstack/react-query";

import { get, type Schema } from "../api/client";
import { Button } from "../ui/button";
import { Loaded } from "../ui/feedback";
import { Page } from "../ui/page";
import { State } from "../ui/state";
import { type Column, Table } from "../ui/table";
import "./doctor.css";

type Finding = Schema["Finding"];

const states = { ok: "ok", warn: "warning", failed: "failed" };
const rank = { failed: 0, warn: 1, ok: 2 };

const columns: Column<Finding>[] = [
  { name: "Result", show: ({ result }) => <State name={states[result]} /> },
  { name: "Check", show: ({ what }) => <span className="nowrap">{what}</span> },
  { name: "Detail", kind: "wide", show: ({ detail }) => <span className="soft">{detail}</span> },
  { name: "Advice", named: true, show: ({ advice }) => advice && <code className="advice">{advice}</code> },
];

export function DoctorPage() {
  const report = useQuery({
    queryKey: ["doctor"],
    queryFn: ({ signal }) => get("/api/v1/doctor", { signal }),
    refetchOnWindowFocus: false,
  });
  const again = <Button disabled={report.isFetching} onClick={() => void report.refetch()}>{report.isFetching ? "Checking…" : "Check again"}</Button>;
  return (
    <Page title="Doctor" about="Checks of the installation, failures first." actions={again}>
      <Loaded query={report}>
        {({ findings }) => <Table label="Checks" columns={columns} rows={[...findings].sort((a, b) => rank[a.result] - rank[b.result])} keyOf={({ what, detail }) => `${what} ${detail}`} />}
      </Loaded>
    </Page>
  );
}
