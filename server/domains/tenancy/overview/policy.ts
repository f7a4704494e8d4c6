export const SEARCH_MIN_LENGTH = 2;
export const SEARCH_MAX_LENGTH = 100;
export const RESULTS_PER_KIND_MAX = 5;

export const WAITING_ITEMS_MAX = 3;
