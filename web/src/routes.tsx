// Every address of the console in one table, and the places of its menu.
import type { QueryClient } from "@tanstack/react-query";
import { type ComponentType, lazy, Suspense } from "react";
import { Link, Route, Switch, useLocation } from "wouter";

import { AttentionPage } from "./attention/page";
import { attentionQuery, overviewQuery } from "./attention/queries";
import { ApprovalsPage } from "./approvals/page";
import { ChatPage, ChatsPage } from "./chat/page";
import { ConversationPage } from "./conversations/page";
import { DemoPage } from "./demo/page";
import { EffectsPage } from "./effects/page";
import { ExecutionsPage } from "./executions/list";
import { JobPage } from "./jobs/detail";
import { JobsPage } from "./jobs/list";
import { LanesPage } from "./lanes/page";
import { type Me, meQuery, type Role, useMe } from "./api/me";
import { nodeTypesQuery } from "./api/node-types";
import type { IconName } from "./shell/icons";
import { Empty, Waiting } from "./ui/feedback";
import { MissingScript } from "./ui/lazy-part";
import { Page } from "./ui/page";

/** What its address names is in `params`. */
type AnyPage = ComponentType<{ params: Record<string, string> }>;

export interface Place {
  path: string;
  title: string;
  icon: IconName;
  group: "" | "Work" | "Talk" | "Build" | "Watch over";
  shortcut?: string;
  roles?: readonly Role[];
  /** In demo mode alone. */
  demo?: true;
  page: AnyPage;
}

type Later = typeof import("./later");

const Missing: AnyPage = () => (
  <Page title="Nothing here">
    <MissingScript />
  </Page>
);

/** A page of the script that is loaded later. Its defects are the page's own, so they pass. */
const later = (name: keyof Later) =>
  lazy(() =>
    import("./later").then(
      (pages) => ({ default: pages[name] as AnyPage }),
      () => ({ default: Missing }),
    ),
  );

/** The editor has a script of its own, which has the later pages' as a part. */
const loadEditor = () => import("./later-editor");
const EditFlowPage = lazy(() =>
  loadEditor().then(
    (pages) => ({ default: pages.EditFlowPage as AnyPage }),
    () => ({ default: Missing }),
  ),
);

const operators: readonly Role[] = ["owner", "editor", "reader"];
/** Who has conversations of their own. */
const talkers: readonly Role[] = ["owner"];

export const isFor = ({ roles }: { roles?: readonly Role[] }, role: Role | undefined): boolean => !roles || !role || roles.includes(role);

export const places: readonly Place[] = [
  { path: "/", title: "Attention", icon: "attention", group: "", shortcut: "a", roles: operators, page: AttentionPage },
  { path: "/jobs", title: "Jobs", icon: "jobs", group: "Work", shortcut: "j", roles: operators, page: JobsPage },
  { path: "/executions", title: "Executions", icon: "executions", group: "Work", shortcut: "e", roles: operators, page: ExecutionsPage },
  { path: "/lanes", title: "Lanes", icon: "lanes", group: "Work", shortcut: "l", roles: operators, page: LanesPage },
  { path: "/effects", title: "Effects in doubt", icon: "effects", group: "Work", shortcut: "d", roles: operators, page: EffectsPage },
  { path: "/approvals", title: "Approvals", icon: "approvals", group: "Talk", shortcut: "p", page: ApprovalsPage },
  { path: "/chat", title: "Chat", icon: "chat", group: "Talk", shortcut: "c", roles: talkers, page: ChatsPage },
  { path: "/demo", title: "Simulated Telegram", icon: "demo", group: "Talk", shortcut: "i", roles: operators, demo: true, page: DemoPage },
  { path: "/groups", title: "Groups", icon: "groups", group: "Talk", shortcut: "w", roles: operators, page: later("GroupsPage") },
  { path: "/spam", title: "Spam", icon: "spam", group: "Talk", shortcut: "x", roles: operators, page: later("SpamPage") },
  { path: "/strangers", title: "Strangers", icon: "strangers", group: "Talk", shortcut: "s", roles: operators, page: later("StrangersPage") },
  { path: "/memory", title: "Memory", icon: "memory", group: "Talk", shortcut: "m", roles: operators, page: later("MemoryPage") },
  { path: "/updates", title: "Rejected updates", icon: "updates", group: "Talk", shortcut: "r", roles: operators, page: later("UpdatesPage") },
  { path: "/flows", title: "Flows", icon: "flows", group: "Build", shortcut: "f", roles: operators, page: later("FlowsPage") },
  { path: "/knowledge", title: "Knowledge", icon: "knowledge", group: "Build", shortcut: "v", roles: operators, page: later("KnowledgePage") },
  { path: "/schedules", title: "Schedules", icon: "schedules", group: "Build", shortcut: "h", roles: operators, page: later("SchedulesPage") },
  { path: "/bots", title: "Bots", icon: "bots", group: "Build", shortcut: "b", roles: operators, page: later("BotsPage") },
  { path: "/models", title: "Models", icon: "models", group: "Build", roles: operators, page: later("ModelsPage") },
  { path: "/tools", title: "Tools and MCP", icon: "tools", group: "Build", shortcut: "o", roles: operators, page: later("ToolsPage") },
  { path: "/nodes", title: "Nodes", icon: "nodes", group: "Watch over", shortcut: "n", roles: operators, page: later("NodesPage") },
  { path: "/usage", title: "Usage", icon: "usage", group: "Watch over", shortcut: "u", roles: operators, page: later("UsagePage") },
  { path: "/audit", title: "Audit", icon: "audit", group: "Watch over", shortcut: "t", roles: ["owner"], page: later("AuditPage") },
  { path: "/tokens", title: "Tokens and sessions", icon: "tokens", group: "Watch over", shortcut: "k", page: later("TokensPage") },
  { path: "/settings", title: "Settings", icon: "settings", group: "Watch over", roles: operators, page: later("SettingsPage") },
  { path: "/doctor", title: "Doctor", icon: "doctor", group: "Watch over", roles: operators, page: later("DoctorPage") },
];

export const placesOf = (me: Me | undefined): readonly Place[] => places.filter((place) => (!place.demo || me?.demo) && isFor(place, me?.role));

const details: readonly { path: string; roles?: readonly Role[]; page: AnyPage }[] = [
  { path: "/jobs/:id", page: JobPage },
  { path: "/lanes/:lane", page: ConversationPage },
  { path: "/groups/:chat", page: later("GroupPage") },
  { path: "/spam/check", page: later("CheckPage") },
  { path: "/spam/samples", page: later("SamplesPage") },
  { path: "/bots/:name", page: later("BotPage") },
  { path: "/knowledge/:name", page: later("CollectionPage") },
  { path: "/knowledge/:name/:id", page: later("DocumentPage") },
  { path: "/executions/:id", page: later("ExecutionPage") },
  { path: "/flows/:name", page: later("FlowPage") },
  { path: "/flows/:name/edit", page: EditFlowPage },
  { path: "/chat/:id", roles: talkers, page: ChatPage },
];

/** Why nothing is shown at an address. */
export function lostWords(address: string, role: Role | undefined): string {
  const place = places.find(({ path }) => path === `/${address.split("/")[1] ?? ""}`);
  return place?.roles && !isFor(place, role) ? `Only ${place.roles.map((each) => `${each}s`).join(", ").replace(/, (\w+)$/, " and $1")} see ${place.title}.` : "This address leads nowhere.";
}

function Lost() {
  const [address] = useLocation();
  const { data: me } = useMe();
  const [first] = placesOf(me);
  return (
    <Page title="Nothing here">
      <Empty title={lostWords(address, me?.role)}>
        {first && <Link href={first.path}>Go to {first.title}</Link>}
      </Empty>
    </Page>
  );
}

export function Pages() {
  const { data: me } = useMe();
  return (
    <Suspense fallback={<Waiting />}>
      <Switch>
        {[...placesOf(me), ...details.filter((place) => isFor(place, me?.role))].map(({ path, page }) => (
          <Route key={path} path={path} component={page as ComponentType} />
        ))}
        <Route component={Lost} />
      </Switch>
    </Suspense>
  );
}

/** Asks for what the page of an address begins with, so that one answer does not wait for another, nor a script for an answer. */
export function readAhead(cache: QueryClient, address: string): void {
  void cache.prefetchQuery(meQuery);
  if (/^\/?$/.test(address)) {
    void cache.prefetchQuery(attentionQuery);
    void cache.prefetchQuery(overviewQuery);
  } else if (/^\/flows\/[^/]+\/edit$/.test(address)) {
    void cache.prefetchQuery(nodeTypesQuery);
    loadEditor().catch(() => undefined); // the page says so
  }
}
