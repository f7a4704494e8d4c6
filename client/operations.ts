/* Written by `npm run client` from the description 3d6ea524435974d8aeaa9d94918a3f35e5e449b3a76942a850d4c5a881372b5c. */

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
