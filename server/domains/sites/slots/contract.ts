export const SITE_LICENCE_PRICE_TRY = 3999;
/** Days to pay for a licence before its site is suspended. */
export const LICENCE_PAYMENT_DAYS = 14;
/** Days that an ended subscription keeps its slots. */
export const SUBSCRIPTION_GRACE_DAYS = 7;
/** Days before the end of a period on which its payer is reminded; see `listNoticeDays`. */
export const RENEWAL_NOTICE_DAYS = [30, 14, 7, 3, 1];
/** Days before the end of a licence at which the next year's licence is opened. */
export const RENEWAL_LEAD_DAYS = 30;
/** Days after its due date at which an unpaid renewal is cancelled. */
export const RENEWAL_ABANDONED_DAYS = 60;

export const BILLING_PATH = "/billing";
/** Page with everything to pay for an order, a renewal or a licence. */
export const getPaymentPath = (reference: string) => `/billing/pay/${reference}`;
