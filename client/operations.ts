/* Written by `npm run client` from the description 3bb0469928a8fe11e7d3096c69ffdc4bc92fd735ba051313de52dd1532387522. */

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
