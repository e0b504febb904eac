import { Link } from "wouter";

import type { Schema } from "../api/client";
import { Chips } from "../ui/chips";
import { FilterField } from "../ui/filter-field";
import { useFilters } from "../ui/filters";
import { useKeyset } from "../ui/keyset-list";
import { List } from "../ui/list";
import { Page, Panel } from "../ui/page";
import { State } from "../ui/state";
import type { Column } from "../ui/table";
import { Time } from "../ui/time";
import { Change } from "./change";

type Tool = Schema["Tool"];
type Server = Schema["McpServer"];

const risks = { low: "good", medium: "warn", high: "bad" };
const toolStates = { offered: "active", changed: "warning", not_set_up: "idle" };
const serverStates = { connected: "active", failing: "down", not_connected: "idle" };

const toolColumns: Column<Tool>[] = [
  { name: "Tool", show: ({ name }) => <span className="mono nowrap">{name}</span> },
  { name: "Description", kind: "wide", show: ({ title, description }) => <span className="clip soft" title={description}>{description || title}</span> },
  { name: "Risk", show: ({ risk }) => <span className={`tag tone-${risk ? risks[risk] : "idle"}`}>{risk ?? "by its arguments"}</span> },
  { name: "State", show: ({ state }) => <State name={toolStates[state]} words={state.replaceAll("_", " ")} /> },
  { name: "From", show: ({ source, server }) => <span className="soft nowrap">{source === "own" ? "postrider" : server}</span> },
  {
    name: "Refused by",
    show: ({ refused_by }) => <span className="soft" title={refused_by.map(({ model, reason }) => `${model}: ${reason}`).join("\n")}>{refused_by.map(({ model }) => model).join(", ")}</span>,
  },
  { name: "", show: (tool) => <Change tool={tool} /> },
];

const serverColumns: Column<Server>[] = [
  { name: "Server", show: ({ name }) => <strong className="nowrap">{name}</strong> },
  { name: "State", show: ({ state, failing_since }) => <span className="row"><State name={serverStates[state]} words={state.replaceAll("_", " ")} />{failing_since && <span className="faint">since <Time at={failing_since} /></span>}</span> },
  { name: "Address", kind: "wide", show: ({ program, address, failure }) => <span className="clip mono">{program ?? address}{failure && <span className="bad"> {failure}</span>}</span> },
  { name: "Is", show: ({ server_name, server_version }) => <span className="soft">{server_name} {server_version}</span> },
  { name: "Tools", kind: "number", named: true, show: ({ known_tools }) => known_tools },
  {
    name: "Changed",
    kind: "number",
    named: true,
    show: ({ name, changed_tools }) => changed_tools > 0 && <Link className="tag tone-warn" href={`/tools?server=${encodeURIComponent(name)}`}>{changed_tools} to accept</Link>,
  },
];

export function ToolsPage() {
  const [filters, change] = useFilters(["source", "server"]);
  const tools = useKeyset("/api/v1/tools", "tools", ["tools"], { query: filters });
  const servers = useKeyset("/api/v1/mcp-servers", "servers", ["mcp-servers"]);
  return (
    <Page title="Tools and MCP" about="Agents call these tools. A call with high risk waits for a person.">
      <Panel flush title="MCP servers">
        <List label="MCP servers" list={servers} columns={serverColumns} keyOf={({ name }) => name} empty="No MCP server is configured." />
      </Panel>
      <div className="filters">
        <Chips label="Source" choices={[{ title: "All", value: undefined }, { title: "Own", value: "own" }, { title: "MCP", value: "mcp" }]} value={filters.source} onChange={(source) => change({ source })} />
        <FilterField name="server" label="MCP server" value={filters.server ?? ""} change={change} search />
      </div>
      <List label="Tools" list={tools} columns={toolColumns} keyOf={({ name }) => name} empty="No tool matches." />
    </Page>
  );
}
