// The pages that a visit seldom begins with, and those that draw graphs. They are one script, which is loaded with the
// first of them: code that the entry shares with a lazy script is a script of its own for each of those.
export { AuditPage } from "./audit/page";
export { BotPage } from "./bots/setup";
export { BotsPage } from "./bots/page";
export { DoctorPage } from "./doctor/page";
export { ExecutionPage } from "./executions/detail";
export { FlowPage } from "./flows/detail";
export { FlowsPage } from "./flows/list";
export { CheckPage } from "./groups/check";
export { GroupPage } from "./groups/detail";
export { GroupsPage } from "./groups/list";
export { SamplesPage } from "./groups/samples";
export { SpamPage } from "./groups/verdicts";
export { CollectionPage } from "./knowledge/collection";
export { DocumentPage } from "./knowledge/document";
export { KnowledgePage } from "./knowledge/list";
export { MemoryPage } from "./memory/page";
export { ModelsPage } from "./models/page";
export { NodesPage } from "./nodes/page";
export { SchedulesPage } from "./schedules/page";
export { SettingsPage } from "./settings/page";
export { StrangersPage } from "./strangers/page";
export { TokensPage } from "./tokens/page";
export { ToolsPage } from "./tools/page";
export { UpdatesPage } from "./updates/page";
export { UsagePage } from "./usage/page";
