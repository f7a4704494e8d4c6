/* Written by `npm run client` from the description cd344a648cba607cdc95d71e1598d1d6db82aa26b19ef714ddf77f73123edb0d. */

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
