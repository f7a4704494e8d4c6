import type { ErrorSpecs } from "@/server/core/errors";

/** `no_customer` and `no_member`: the account cannot be a reseller's customer or a member of a team. */
export const administrationErrors = {
  own_account: { status: 422, shape: "failure" },
  address_verified: { status: 422, shape: "failure" },
  own_role: { status: 422, shape: "failure" },
  role_of_agent: { status: 422, shape: "failure" },
  no_customer: { status: 422, shape: "failure" },
  no_member: { status: 422, shape: "failure" },
  has_members: { status: 422, shape: "failure" },
  member_unverified: { status: 422, shape: "failure" },
  role_unverified: { status: 422, shape: "failure" },
  setup_closed: { status: 400, shape: "refusal" },
} as const satisfies ErrorSpecs;
