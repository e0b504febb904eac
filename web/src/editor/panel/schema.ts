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
  /** The provider whose model it names. */
  "x-models"?: string;
  /** A path of this server, below this one. */
  "x-below"?: string;
  "x-expression"?: boolean;
  "x-format"?: string;
  "x-multiline"?: boolean;
}

export type FieldKind = "reference" | "model" | "enum" | "text" | "number" | "boolean" | "list" | "object" | "map" | "json" | "any";

const isTextMap = (value: unknown) => isObject(value) && Object.values(value).every((each) => typeof each === "string");

/** Lists and objects where one word or number is expected, or one instead of the other: only JSON shows all of them. */
function isMisfit({ type, enum: words }: ParameterSchema, value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (type === "array") return !Array.isArray(value);
  if (type === "object") return !isObject(value);
  return type !== undefined || words !== undefined;
}

/** Which control shows the value. A map is edited by its rows where all of them are texts. */
export function kindOf(schema: ParameterSchema, value: unknown): FieldKind {
  if (isMisfit(schema, value)) return "json";
  if (schema["x-reference"] && schema.type === "string") return "reference";
  if (schema["x-models"] && schema.type === "string") return "model";
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

/** Null is a place that a person is to fill in: a control shows it empty. Where any JSON may stand, it is a value. */
export const shownIn = (kind: FieldKind, value: unknown): unknown => (value === null && kind !== "any" && kind !== "json" ? undefined : value);

export const isExpression = (value: unknown): value is string => typeof value === "string" && value.includes("{{");

/** An expression that a person is to write. */
export const EMPTY = "{{  }}";

/** Texts may always hold expressions; another value can be one as a whole. */
export const takesExpressions = (schema: ParameterSchema): boolean => schema["x-expression"] !== false;

/** Some are texts anyway, or have fields of their own. */
export const canBeFormula = (schema: ParameterSchema, kind: FieldKind): boolean => takesExpressions(schema) && !["text", "reference", "model", "any", "object"].includes(kind);

/** A condition, and a list without a form of its own, are expressions nearly always. */
export const isFormulaAtFirst = ({ type }: ParameterSchema, kind: FieldKind): boolean => kind === "boolean" || (kind === "json" && type === "array");

/** What shows a value. `isFormula`: as an expression. */
export interface Control {
  kind: FieldKind;
  isFormula: boolean;
}

/** `before`: what a person types into. It stays, whatever half of an expression or of JSON is there. */
export function controlOf(schema: ParameterSchema, written: unknown, required: boolean, before?: Control): Control {
  const now = kindOf(schema, written);
  const kind = now === "map" && before?.kind === "json" ? "json" : now;
  const value = shownIn(kind, written);
  const isTyped = before?.isFormula === true && (value === undefined || typeof value === "string");
  const isFormula = canBeFormula(schema, kind) && (isExpression(value) || isTyped || (required && value === undefined && isFormulaAtFirst(schema, kind)));
  return { kind, isFormula };
}

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
