export const REFERRAL_RESULTS_MAX = 50;

export const REFERRAL_SEARCH_MIN_LENGTH = 2;

/** Reasons to refuse a sign-up; never shown to the user. Stored in rows and described in contract.ts. */
export const SIGN_UP_PROBLEMS = [
  "honeypot",
  /** No such top-level domain. */
  "unknown_suffix",
  "public_suffix",
  "disposable",
  /** The domain accepts no mail. */
  "no_mail",
] as const;
export type SignUpProblem = (typeof SIGN_UP_PROBLEMS)[number];

export const REFUSAL_RETENTION_DAYS = 30;
