/** Resellers that a search returns. */
export const REFERRALS_MAX = 50;

/** The shortest word that is searched for. */
export const REFERRAL_QUERY_MIN = 2;
