// Writes ../src/api/schema.gen.ts: the types of the HTTP API, from the description that the server answers with.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

import openapiTypescript, { astToString } from "openapi-typescript";

const root = path.dirname(fileURLToPath(import.meta.url));
const api = path.join(root, "../../server/api");
const read = (file) => JSON.parse(readFileSync(path.join(api, file), "utf8"));

// As server/api/description.cpp does it.
function description() {
  const document = read("openapi.json");
  for (const file of readdirSync(api).filter((name) => name.endsWith("_endpoints.openapi.json")).sort()) {
    const part = read(file);
    Object.assign(document.paths, part.paths);
    Object.assign(document.components.responses, part.responses);
    Object.assign(document.components.schemas, part.schemas);
  }
  return document;
}

const ast = await openapiTypescript(description(), { alphabetize: false });
writeFileSync(path.join(root, "../src/api/schema.gen.ts"), astToString(ast));
