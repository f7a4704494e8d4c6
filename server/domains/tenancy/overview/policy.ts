/** Length of a search query in characters. */
export const SEARCH_MIN = 2;
export const SEARCH_MAX = 100;
/** Maximum results per kind. */
export const FOUND_MAX = 5;
