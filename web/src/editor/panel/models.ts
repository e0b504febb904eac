// What models can do and cost, as the lists of their providers and the configuration say.
import { useQuery } from "@tanstack/react-query";

import { get, type Schema } from "../../api/client";
import { costText, tokensText } from "../../ui/numbers";

type Model = Schema["Model"];

export const useModels = (enabled: boolean) =>
  useQuery({ queryKey: ["models"], queryFn: ({ signal }) => get("/api/v1/models", { signal }), enabled, staleTime: 60_000 });

/** "tools · no vision · 128K context · $0.15 in, $0.60 out for a million tokens", of what is known. */
export function modelWords(model: Model): string {
  const able = (words: string, can: boolean | null) => (can === null ? "" : can ? words : `no ${words}`);
  const price = model.price && `${costText(model.price.input)} in, ${costText(model.price.output)} out for a million tokens`;
  return [able("tools", model.tools), able("vision", model.vision), model.context && `${tokensText(model.context)} context`, price].filter(Boolean).join(" · ");
}

/** Of the model that an entry of the configuration asks; "" where it is not in the list. */
export function entryWords(models: readonly Model[], entry: string): string {
  const model = models.find(({ entries }) => entries.includes(entry));
  return model ? [model.name, modelWords(model)].filter(Boolean).join(" · ") : "";
}

/** Those of a provider with the search in their names. */
export function modelChoices(models: readonly Model[], provider: string, search: string): { name: string; about: string }[] {
  const words = search.trim().toLowerCase();
  return models.filter((model) => model.provider === provider && model.name.toLowerCase().includes(words)).map((model) => ({ name: model.name, about: modelWords(model) }));
}
