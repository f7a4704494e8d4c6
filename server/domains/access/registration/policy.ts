/** Maximum number of results. */
export const REFERRALS_MAX = 50;

/** Minimum length of a search word. */
export const REFERRAL_QUERY_MIN = 2;

/** Reasons to refuse a sign-up; not shown to the user. */
export const SIGN_UP_PROBLEMS = [
  "honeypot",
  "unknown_suffix",
  "public_suffix",
  "disposable",
  "no_mail",
] as const;
export type SignUpProblem = (typeof SIGN_UP_PROBLEMS)[number];

/** Days for which refused sign-ups are stored. */
export const REFUSAL_DAYS = 30;
