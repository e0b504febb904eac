// The cache of all that came from the server. Nothing else keeps a copy of server data.
import { QueryClient } from "@tanstack/react-query";

import { isOutage } from "./problem";

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      refetchOnWindowFocus: true,
      retry: (failures, error) => failures < 2 && isOutage(error),
      retryDelay: (failures) => 500 * 2 ** failures,
    },
    mutations: { retry: false },
  },
});
