export const SEARCH_MIN = 2;
export const SEARCH_MAX = 100;
export const RESULTS_MAX = 5;
