export const SEARCH_MIN = 2;
export const SEARCH_MAX = 100;
export const FOUND_MAX = 5;
