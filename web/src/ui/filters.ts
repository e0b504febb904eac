// Filters live in the address: a link shows the same list to everyone. Empty values are left out.
import { useCallback, useMemo } from "react";
import { useSearch, useLocation } from "wouter";

export type Filters = Readonly<Record<string, string>>;

/** Only the names that the list knows. */
export function filtersOf(search: string, names: readonly string[]): Filters {
  const all = new URLSearchParams(search);
  const filters: Record<string, string> = {};
  for (const name of names) {
    const value = all.get(name)?.trim();
    if (value) filters[name] = value;
  }
  return filters;
}

export function searchOf(filters: Readonly<Record<string, string | undefined>>): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(filters)) if (value) search.set(name, value);
  return search.size ? `?${search}` : "";
}

export function useFilters(names: readonly string[]) {
  useSearch(); // has decoded a part already: it only says that there is something new
  const { search } = window.location;
  const [location, navigate] = useLocation();
  const words = names.join(",");
  const filters = useMemo(() => filtersOf(search, words.split(",")), [search, words]);
  const change = useCallback(
    (changes: Record<string, string | undefined>) => navigate(location + searchOf({ ...filters, ...changes }), { replace: true }),
    [filters, location, navigate],
  );
  return [filters, change] as const;
}
