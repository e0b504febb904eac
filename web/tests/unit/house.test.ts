// The rules of web/src: who may import whom, and how long a file may be.
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";

const root = path.join(import.meta.dirname, "../../src");
const files = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((name) => /\.(tsx?|css)$/.test(name) && !name.endsWith(".gen.ts"));
const folderOf = (file: string) => (file.includes("/") ? (file.split("/")[0] ?? "") : "");
const linesOf = (file: string) => readFileSync(path.join(root, file), "utf8").split("\n");

/** What a folder may import beside itself. Every other folder is a feature: it has `api` and `ui`. `canvas` draws flows for several features. */
const mayImport: Record<string, readonly string[]> = {
  api: [],
  ui: ["api"],
  attention: ["api", "ui", "approvals", "effects"],
  jobs: ["api", "ui", "effects", "executions"],
  bots: ["api", "ui", "lanes"],
  conversations: ["api", "ui", "lanes"],
  executions: ["api", "ui", "canvas"],
  editor: ["api", "ui", "canvas", "code", "executions", "flows"],
  flows: ["api", "ui", "canvas"],
  demo: ["api", "ui", "chat"],
  shell: ["api", "ui", "attention", ""],
};

function importsOf(file: string): string[] {
  return linesOf(file).flatMap((line) => {
    const target = /(?:from|import) "(\.[^"]*)"/.exec(line)?.[1];
    return target ? [folderOf(path.join(path.dirname(file), target))] : [];
  });
}

/** The classes that each selector of a sheet begins with. */
const styledBy = (sheet: string) => new Set([...linesOf(sheet).join("\n").replace(/\{[^{}]*\}/g, ",").matchAll(/(?:^|[,{}])\s*(?:[a-z]+)?\.([a-z][\w-]*)/g)].map(([, name = ""]) => name));
const classesIn = (file: string) => [...linesOf(file).join("\n").matchAll(/className=(?:"([^"]*)"|\{`([^`]*)`)/g)].flatMap(([, plain, mixed]) => (plain ?? mixed ?? "").replace(/\$\{[^}]*\}/g, " ").split(/\s+/));

describe("files of the console", () => {
  it("import in one direction", () => {
    const wrong = files.filter((file) => folderOf(file) !== "").flatMap((file) => {
      const own = folderOf(file);
      const allowed = [own, ...(mayImport[own] ?? ["api", "ui"])];
      return importsOf(file).filter((folder) => !allowed.includes(folder)).map((folder) => `${file} imports ${folder || "routes"}`);
    });
    expect(wrong).toEqual([]);
  });

  it("style nothing of a folder that may not import them: all sheets are one file in the browser", () => {
    const sheets = files.filter((file) => file.endsWith(".css") && !["ui", "shell"].includes(folderOf(file)));
    const wrong = sheets.flatMap((sheet) => {
      const styled = styledBy(sheet);
      const others = files.filter((file) => file.endsWith(".tsx") && folderOf(file) !== folderOf(sheet) && !mayImport[folderOf(file)]?.includes(folderOf(sheet)));
      return others.flatMap((file) => classesIn(file).filter((name) => styled.has(name)).map((name) => `${sheet} styles .${name} of ${file}`));
    });
    expect(wrong).toEqual([]);
  });

  it("are short, and named in kebab-case", () => {
    expect(files.filter((file) => linesOf(file).length > 400)).toEqual([]);
    expect(files.filter((file) => /[A-Z_ ]/.test(file))).toEqual([]);
  });

  it("name the topic of what they read no more because the stream tells of it", () => {
    const wrong = files.filter((file) => file !== "api/live.ts" && /usePace\((?!.*false\))/.test(linesOf(file).join("\n")) && !linesOf(file).join("\n").includes("useTopic("));
    expect(wrong).toEqual([]);
    expect(linesOf("ui/keyset-list.tsx").join("\n")).toContain("useListPace(key)");
  });

  it("say nothing of markup that is not escaped", () => {
    expect(files.filter((file) => /dangerouslySetInnerHTML|innerHTML|eval\(/.test(linesOf(file).join("\n")))).toEqual([]);
  });
});
