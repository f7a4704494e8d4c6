/** One site beyond the slots: a licence of this many TRY a year (contract, section 8). */
export const SITE_LICENCE_PRICE_TRY = 3999;
/** A licence must be paid within so many days, then its site is suspended. */
export const LICENCE_PAYMENT_DAYS = 14;
