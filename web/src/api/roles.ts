// Who may change what. Operators see the same; what an endpoint changes is for owners, unless the table says
// otherwise. The server decides; this says beforehand why a button is grey.
import type { Schema } from "./client";
import type { paths } from "./schema.gen";

export type Role = Schema["Role"];
type Change = `${"POST" | "PUT" | "PATCH" | "DELETE"} ${keyof paths & string}`;

interface Opening {
  roles: readonly Role[];
  words: string;
}

const drafts: Opening = { roles: ["owner", "editor"], words: "Only an owner or an editor can do this." };
const approvals: Opening = { roles: ["owner", "user"], words: "Only an owner or the person who asked can decide this." };
const talk: Opening = { roles: ["owner", "user"], words: "Only an owner or a user can talk with agents." };
const oneself: Opening = { roles: ["owner", "editor", "reader", "user"], words: "" };
const owners: Opening = { roles: ["owner"], words: "Only an owner can do this." };

const openings: Partial<Record<Change, Opening>> = {
  "POST /api/v1/flows": drafts,
  "PUT /api/v1/flows/{name}": drafts,
  "POST /api/v1/flows/{name}/versions/{version}/restore": drafts,
  "POST /api/v1/flows/{name}/run": drafts,
  "POST /api/v1/flows/{name}/replays": drafts,
  "POST /api/v1/flows/validate": drafts,
  "POST /api/v1/expressions/preview": drafts,
  "POST /api/v1/executions/{id}/replay": drafts,
  "POST /api/v1/executions/{id}/trials": drafts,
  "POST /api/v1/spam/check": drafts,
  "POST /api/v1/spam/replay": drafts,
  "POST /api/v1/approvals/{id}/approve": approvals,
  "POST /api/v1/approvals/{id}/reject": approvals,
  "POST /api/v1/conversations": talk,
  "DELETE /api/v1/conversations/{id}": talk,
  "POST /api/v1/conversations/{id}/messages": talk,
  "POST /api/v1/conversations/{id}/presses": talk,
  "DELETE /api/v1/console/sessions/{id}": oneself,
};

const rights: Record<Role, string> = {
  owner: "",
  editor: "Your role is editor: you can see all but the audit, change drafts of flows, check, run, replay and try flows, and check texts for spam.",
  reader: "Your role is reader: you can see all but the audit, and change nothing.",
  user: "Your role is user: you have your own conversations and approvals.",
};

/** Why the role does not allow the change; undefined where it does. Without a change: one that is for owners. */
export function refusalOf(role: Role, change?: Change): string | undefined {
  const opening = (change && openings[change]) ?? owners;
  return opening.roles.includes(role) ? undefined : `${rights[role]} ${opening.words}`;
}

export type { Change };
