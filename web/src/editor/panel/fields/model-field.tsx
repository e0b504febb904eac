// A model by the name that its provider gives it, from the provider's own list.
import { modelChoices, useModels } from "../models";
import { type Choices, Combobox } from "./combobox";
import type { FieldProps } from "./schema-field";

function useModelsOf(provider: string, search: string, open: boolean): Choices {
  const { data, isPending } = useModels(open);
  return {
    rows: data ? modelChoices(data.models, provider, search) : [],
    isPending,
    none: search ? "The provider lists none of this name." : ["The provider lists none.", ...(data?.failures ?? [])].join(" "),
  };
}

export function ModelField(props: FieldProps) {
  const provider = props.schema["x-models"] ?? "";
  return <Combobox {...props} useChoices={(search, open) => useModelsOf(provider, search, open)} />;
}
