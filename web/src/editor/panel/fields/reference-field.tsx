// The name of something elsewhere, from the server's own list.
import { useInfiniteQuery } from "@tanstack/react-query";

import { get } from "../../../api/client";
import { entryWords, useModels } from "../models";
import { type Choices, Combobox } from "./combobox";
import type { FieldProps } from "./schema-field";

function useOptions(reference: string, search: string, open: boolean): Choices {
  const options = useInfiniteQuery({
    queryKey: ["options", reference, search],
    queryFn: ({ signal, pageParam }) => get("/api/v1/options/{reference}", { params: { reference }, query: { search, cursor: pageParam }, signal }),
    initialPageParam: "",
    getNextPageParam: ({ next }) => next,
    enabled: open,
    staleTime: 30_000,
  });
  const { data: models } = useModels(open && reference === "model");
  return {
    rows: options.data?.pages.flatMap((page) => page.options).map(({ name, title }) => ({ name, about: (models && entryWords(models.models, name)) || title })) ?? [],
    isPending: options.isPending,
    none: options.data?.pages[0]?.none ?? "Nothing matches.",
    more: options.hasNextPage ? () => void options.fetchNextPage() : undefined,
  };
}

export function ReferenceField(props: FieldProps) {
  const reference = props.schema["x-reference"] ?? "";
  return <Combobox {...props} useChoices={(search, open) => useOptions(reference, search, open)} />;
}
