// Workflows of n8n: the server makes flows of ours of them, and says what a person should look at.
const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null && !Array.isArray(value);

/** A workflow of n8n, or a part of one. There connections are an object, and each type has n8n's package in front. */
export function workflowOf(value: unknown): object | undefined {
  if (!isObject(value) || !Array.isArray(value.nodes) || value.nodes.length === 0 || Array.isArray(value.connections)) return undefined;
  const isWhole = value.nodes.every((node: unknown) => isObject(node) && typeof node.type === "string" && /(?:^|[@/])n8n[-/]/.test(node.type));
  return isWhole ? { ...value, connections: value.connections ?? {} } : undefined;
}
