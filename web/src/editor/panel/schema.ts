// The JSON Schema of a type's parameters, as the form reads it. One form serves all types. Pure.
import { isObject } from "../document/model";

export interface ParameterSchema {
  title?: string;
  description?: string;
  type?: string;
  enum?: readonly unknown[];
  examples?: readonly unknown[];
  default?: unknown;
  properties?: Readonly<Record<string, ParameterSchema>>;
  required?: readonly string[];
  oneOf?: readonly ParameterSchema[];
  anyOf?: readonly ParameterSchema[];
  items?: ParameterSchema;
  additionalProperties?: boolean | ParameterSchema;
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  "x-reference"?: string;
  "x-expression"?: boolean;
  "x-format"?: string;
  "x-multiline"?: boolean;
}

export type FieldKind = "reference" | "enum" | "text" | "number" | "boolean" | "list" | "object" | "map" | "json" | "any";

const isTextMap = (value: unknown) => isObject(value) && Object.values(value).every((each) => typeof each === "string");

/** Which control shows the value. A map is edited by its rows where all of them are texts. */
export function kindOf(schema: ParameterSchema, value: unknown): FieldKind {
  if (schema["x-reference"] && schema.type === "string") return "reference";
  if (schema.enum) return "enum";
  switch (schema.type) {
    case "string":
      return "text";
    case "integer":
    case "number":
      return "number";
    case "boolean":
      return "boolean";
    case "array":
      return schema.items ? "list" : "json";
    case "object":
      if (schema["x-format"] === "json_schema") return "json";
      if (schema.properties) return "object";
      return value === undefined || isTextMap(value) ? "map" : "json";
  }
  return "any";
}

export const isExpression = (value: unknown): value is string => typeof value === "string" && value.includes("{{");

/** Texts may always hold expressions; another value can be one as a whole. */
export const takesExpressions = (schema: ParameterSchema): boolean => schema["x-expression"] !== false;

export const isEmptyText = (value: unknown): boolean => value === undefined || value === "";

/** As the server counts: four bytes are a token. */
export const tokensAbout = (text: string): number => Math.ceil(new TextEncoder().encode(text).length / 4);

const TITLE = /(^|_)([a-z])/;
export const titleOf = (name: string, { title }: ParameterSchema): string => title ?? name.replace(TITLE, (_all, _gap: string, letter: string) => letter.toUpperCase()).replaceAll("_", " ");

/** What a new element of a list begins with. */
export function beginOf(schema: ParameterSchema): unknown {
  if (schema.default !== undefined) return schema.default;
  if (schema.type === "object") return Object.fromEntries((schema.required ?? []).map((name) => [name, beginOf(schema.properties?.[name] ?? {})]));
  if (schema.type === "array") return [];
  if (schema.type === "boolean") return false;
  return schema.type === "integer" || schema.type === "number" ? 0 : "";
}

/** Required parameters, those of which one is required, and written ones come first; the others are behind a fold. */
export function splitOf(schema: ParameterSchema, value: Readonly<Record<string, unknown>>): { first: string[]; more: string[] } {
  const names = Object.keys(schema.properties ?? {});
  const required = [schema, ...(schema.oneOf ?? []), ...(schema.anyOf ?? [])].flatMap((each) => each.required ?? []);
  const isFirst = (name: string) => required.includes(name) || value[name] !== undefined || schema.properties?.[name]?.["x-multiline"] === true;
  const first = names.filter(isFirst);
  if (names.length <= 5) return { first: names, more: [] };
  return { first, more: names.filter((name) => !first.includes(name)) };
}
