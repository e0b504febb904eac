import { describe, expect, it } from "vitest";

import { refusalOf, type Role } from "../../src/api/roles";

const all: readonly Role[] = ["owner", "editor", "reader", "user"];
const allowed = (change?: Parameters<typeof refusalOf>[1]) => all.filter((role) => refusalOf(role, change) === undefined);

describe("roles", () => {
  it("leaves operations to owners", () => {
    expect(allowed()).toEqual(["owner"]);
    expect(allowed("POST /api/v1/jobs/{id}/retry")).toEqual(["owner"]);
    expect(allowed("POST /api/v1/flows/{name}/publish")).toEqual(["owner"]);
    expect(allowed("DELETE /api/v1/flows/{name}")).toEqual(["owner"]);
  });

  it("lets editors save, validate, run and replay", () => {
    for (const change of ["PUT /api/v1/flows/{name}", "POST /api/v1/flows/validate", "POST /api/v1/flows/{name}/run", "POST /api/v1/executions/{id}/replay", "POST /api/v1/flows/{name}/replays", "POST /api/v1/executions/{id}/trials"] as const)
      expect(allowed(change)).toEqual(["owner", "editor"]);
  });

  it("lets users decide their own approvals, and everybody end their own sessions", () => {
    expect(allowed("POST /api/v1/approvals/{id}/approve")).toEqual(["owner", "user"]);
    expect(allowed("DELETE /api/v1/console/sessions/{id}")).toEqual(all);
  });

  it("gives the role and who else can do it", () => {
    expect(refusalOf("reader", "PUT /api/v1/flows/{name}")).toMatch(/^Your role is reader.*an owner or an editor/);
    expect(refusalOf("editor")).toMatch(/^Your role is editor.*Only an owner/);
  });
});
