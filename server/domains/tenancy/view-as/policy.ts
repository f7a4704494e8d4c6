/** For how long an account lets others look at its panel. */
export const SUPPORT_PERIODS = ["1d", "7d", "30d"] as const;
export type SupportPeriod = (typeof SUPPORT_PERIODS)[number];
export const PERIOD_DAYS: Record<SupportPeriod, number> = { "1d": 1, "7d": 7, "30d": 30 };

/** Minutes that a visit may last. */
export const VIEW_MINUTES = [15, 30, 60] as const;

/** Visits in the list of an account, newest first. */
export const VISITS_MAX = 50;

/** Pages that show what is closed during a visit: ways in, keys, consents, copies of one's data, invoices' addressee. */
export const CLOSED_PAGES = [
  "/settings/security",
  "/settings/consents",
  "/settings/privacy",
  "/settings/mail",
  "/settings/portal",
  "/reseller/branding",
  "/reseller/mail",
  "/developers/keys",
] as const;
