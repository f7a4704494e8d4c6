/** A referral code, as it is typed; it is compared in capitals. Letters of other alphabets are refused, never folded. */
export const REFERRAL_CODE = /^[A-Za-z0-9]{4,16}$/;

/** Resellers that a search returns. */
export const REFERRALS_MAX = 50;

/** The shortest word that is searched for. */
export const REFERRAL_QUERY_MIN = 2;
