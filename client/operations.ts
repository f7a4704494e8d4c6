/* Written by `npm run client` from the description 5f3607c0fd93d24d9f82d926bbd7de79dea9260d8fea7a0ccd6dceae30787656. */

/** Operations that take an `Idempotency-Key`. */
export const REPEATABLE: ReadonlySet<string> = new Set([
  "POST /api/admin/licences/{id}/payment",
  "POST /api/admin/subscriptions/manual-activate",
  "POST /api/admin/users/{id}/payouts",
  "POST /api/reseller/customers",
  "POST /api/sites",
  "POST /api/team/invitations",
  "POST /api/user/tokens",
  "POST /api/webhooks",
]);
