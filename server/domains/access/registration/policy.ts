export const REFERRALS_MAX = 50;

export const REFERRAL_QUERY_MIN = 2;

/** Reasons to refuse a sign-up; never shown to the user. */
export const SIGN_UP_PROBLEMS = [
  "honeypot",
  "unknown_suffix",
  "public_suffix",
  "disposable",
  "no_mail",
] as const;
export type SignUpProblem = (typeof SIGN_UP_PROBLEMS)[number];

export const REFUSAL_RETENTION_DAYS = 30;
