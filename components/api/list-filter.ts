export interface ListFilter {
  name: string;
  label: string;
  /** Label of the option without a filter, such as "All statuses". */
  allLabel: string;
  options: ReadonlyArray<{ value: string; label: string }>;
}

/** Filters in the bar; the others are in a menu. */
const PINNED_FILTER_COUNT = 2;

export function splitFilters(filters: readonly ListFilter[]) {
  return {
    pinnedFilters: filters.slice(0, PINNED_FILTER_COUNT),
    menuFilters: filters.slice(PINNED_FILTER_COUNT),
  };
}

export function toFilterOptions({ allLabel, options }: ListFilter) {
  return [{ value: "all", label: allLabel }, ...options];
}
