export const SUPPORT_PERIODS = ["1d", "7d", "30d"] as const;
export type SupportPeriod = (typeof SUPPORT_PERIODS)[number];
export const SUPPORT_PERIOD_DAYS: Record<SupportPeriod, number> = { "1d": 1, "7d": 7, "30d": 30 };

export const VIEW_MINUTES = [15, 30, 60] as const;

export const LISTED_VISITS_MAX = 50;

/** Pages that a visit cannot open: sign-in methods, keys, consents, data exports, mail and branding. */
export const VIEW_AS_CLOSED_PAGES = [
  "/settings/security",
  "/settings/consents",
  "/settings/privacy",
  "/settings/mail",
  "/settings/portal",
  "/reseller/branding",
  "/reseller/mail",
  "/developers/keys",
] as const;
