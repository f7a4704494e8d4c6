/** Annual price in TRY of a licence for one site beyond the slots (docs/contract.md 8). */
export const SITE_LICENCE_PRICE_TRY = 3999;
/** A licence must be paid within this many days, then its site is suspended. */
export const LICENCE_PAYMENT_DAYS = 14;
