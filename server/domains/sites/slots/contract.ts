/** Annual price in TRY of a licence for one site beyond the slots (docs/contract.md 8). */
export const SITE_LICENCE_PRICE_TRY = 3999;
/** A licence must be paid within this many days, then its site is suspended. */
export const LICENCE_PAYMENT_DAYS = 14;
/** A subscription that ended and was not renewed gives its slots for this many days more. */
export const GRACE_DAYS = 7;
/** The licence of the next year is opened this many days before the running one ends. */
export const RENEWAL_DAYS = 30;
/** A next year that is unpaid this many days after its last day to pay is given up. */
export const LICENCE_ABANDONED_DAYS = 60;
