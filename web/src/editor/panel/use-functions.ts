import { useQuery } from "@tanstack/react-query";

import { send } from "../../api/client";
import { parseJson } from "../../api/json";
import type { FunctionHelp } from "../../code/completions";
import { useDesk } from "../desk";

/** The functions of expressions, as the server knows them; undefined until they are read. Who changes nothing needs none. */
export function useFunctions(): readonly FunctionHelp[] | undefined {
  const { locked } = useDesk();
  const { data } = useQuery({
    queryKey: ["expression-functions"],
    queryFn: async ({ signal }) => (parseJson(await (await send("GET", "/api/v1/expressions/functions", undefined, { signal })).text()) as { functions: FunctionHelp[] }).functions,
    enabled: locked === undefined,
    staleTime: Infinity,
    retry: false,
  });
  return data;
}
