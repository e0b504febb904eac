import { renderToStaticMarkup } from "react-dom/server";
import { afterEach, describe, expect, it, vi } from "vitest";

import type { Me } from "../../src/api/me";
import { Problem, unreachable } from "../../src/api/problem";
import { isFor, lostWords, places } from "../../src/routes";
import { leave } from "../../src/shell/leave";
import { arrivedToken, isSpent, Login, staysOpen } from "../../src/shell/login";
import * as notes from "../../src/ui/toast";

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const nothing = () => undefined;
const me: Me = { role: "editor", user_id: 5, actor: "Ada", session_id: null, expires_at: null, demo: false, public_url: null, version: "1", time: "2026-11-29T00:00:00Z" };

describe("the login", () => {
  it("shows again when a second Escape closed it", () => {
    const showModal = vi.fn();
    staysOpen.onClose({ currentTarget: { showModal } });
    expect(showModal).toHaveBeenCalledOnce();
  });

  it("leaves no link in the address that it does not accept", () => {
    const replaceState = vi.fn();
    vi.stubGlobal("history", { state: null, replaceState });
    for (const hash of ["#login=//evil", "#login=", "#login", "#login=a&b"]) {
      vi.stubGlobal("location", { hash, pathname: "/console/jobs", search: "?state=failed" });
      expect(arrivedToken()).toBe("");
      expect(replaceState).toHaveBeenLastCalledWith(null, "", "/console/jobs?state=failed");
    }
    expect(replaceState).toHaveBeenCalledTimes(4);
    for (const hash of ["", "#main", "#login=abcdefghijklmnopqrst"]) {
      vi.stubGlobal("location", { hash, pathname: "/console", search: "" });
      arrivedToken();
    }
    expect(replaceState).toHaveBeenCalledTimes(4);
  });

  it("keeps the link unless the server refused it", () => {
    expect([new Problem(401, "invalid", ""), unreachable(), new Problem(503, "busy", ""), new Problem(429, "slow", "")].map(isSpent)).toEqual([true, false, false, false]);
  });

  it("says who is signed in before a link replaces the session", () => {
    vi.stubGlobal("location", { hash: "#login=abcdefghijklmnopqrst" });
    const asked = renderToStaticMarkup(<Login over={false} present={me} onDone={nothing} onStay={nothing} />);
    expect(asked).toContain("signed in as Ada (editor)");
    expect(asked).toContain("Replace the session");
    expect(asked).toContain("Stay signed in");
    expect(renderToStaticMarkup(<Login over={false} onDone={nothing} />)).not.toContain("Stay");
  });
});

describe("signing out", () => {
  it("says when it failed, and forgets nothing", async () => {
    const toast = vi.spyOn(notes, "toast");
    const forget = vi.fn();
    vi.stubGlobal("fetch", () => Promise.reject(new TypeError("network")));
    await leave(forget);
    expect(toast).toHaveBeenCalledWith(expect.stringContaining("still signed in"), true);
    expect(forget).not.toHaveBeenCalled();
    vi.stubGlobal("fetch", () => Promise.resolve(new Response(null, { status: 204 })));
    await leave(forget);
    expect(forget).toHaveBeenCalledOnce();
  });
});

describe("places of a role", () => {
  const pathsOf = (role: Me["role"]) => places.filter((place) => isFor(place, role)).map(({ path }) => path);

  it("have the chat for owners alone, and settings and checks for all", () => {
    expect(pathsOf("owner")).toContain("/chat");
    for (const role of ["editor", "reader"] as const) {
      expect(pathsOf(role)).not.toContain("/chat");
      expect(pathsOf(role)).toEqual(expect.arrayContaining(["/settings", "/doctor"]));
    }
  });
});

describe("an address that shows nothing", () => {
  it("says whose page it is, or that there is none", () => {
    expect(lostWords("/audit", "reader")).toBe("Only owners see Audit.");
    expect(lostWords("/chat/7", "editor")).toBe("Only owners see Chat.");
    expect(lostWords("/jobs", "user")).toBe("Only owners, editors and readers see Jobs.");
    expect(lostWords("/nowhere", "owner")).toBe("This address leads nowhere.");
  });
});
