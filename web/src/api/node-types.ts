// The types of nodes, as the server describes them. They are the same until the server is another version.
import { queryOptions } from "@tanstack/react-query";

import { get } from "./client";

export const nodeTypesQuery = queryOptions({ queryKey: ["node-types"], queryFn: ({ signal }) => get("/api/v1/node-types", { signal }), staleTime: Infinity });
