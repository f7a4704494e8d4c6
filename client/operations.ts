/* Written by `npm run client` from the description 1e676a5753da7e0f121daf2653a46215d1859c7945856467be3289c2d988c7f5. */

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
