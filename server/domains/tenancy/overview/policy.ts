/** Letters of a search. */
export const SEARCH_MIN = 2;
export const SEARCH_MAX = 100;
/** The most records of a kind that one search finds. */
export const FOUND_MAX = 5;
