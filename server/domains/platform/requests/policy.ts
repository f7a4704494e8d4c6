export const REQUEST_STATS_RETENTION_DAYS = 90;

/** The longest limit of the duration histogram: a quantile above it is not known more exactly. */
export const REQUEST_P95_MAX_MS = 5000;
