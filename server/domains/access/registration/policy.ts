/** Resellers that a search returns. */
export const REFERRALS_MAX = 50;

/** The shortest word that is searched for. */
export const REFERRAL_QUERY_MIN = 2;

/** What is held against a sign-up that is refused. The person is not told which. */
export const SIGN_UP_PROBLEMS = [
  "honeypot",
  "unknown_suffix",
  "public_suffix",
  "disposable",
  "no_mail",
] as const;
export type SignUpProblem = (typeof SIGN_UP_PROBLEMS)[number];

/** Days for which refused sign-ups are remembered. */
export const REFUSAL_DAYS = 30;
