import * as z from "zod";
import { operation } from "@/server/core/contract";
import { count, message, success, timestamp } from "@/server/core/schema";
import { Duty, DutyDetails } from "@/server/core/settings";
import { EXPECTED_TEXT } from "@/server/core/stale";

const OVERDUE_TEXT =
  "After `enrol_by`, calls get 403 with `requires_two_factor_setup`, including those with API keys. Only the profile, sign-in " +
  "and sign-out still work. External keys of sites are not affected.";

export const getFactorDuty = operation({
  id: "getFactorDuty",
  method: "GET",
  path: "/api/user/second-factor-duty",
  tag: "Second factor",
  summary: "Get the deadline for the account's second factor",
  description: `\`duty\` is null for an account that has a second factor or a passkey, or that does not need one. ${OVERDUE_TEXT}`,
  access: "token",
  viewAs: "self",
  withoutFactor: true,
  status: 200,
  output: z.object({
    success,
    duty: z
      .object({
        enrol_by: timestamp.meta({ description: "End of the grace period." }),
        overdue: z.boolean().meta({ description: "True when the grace period is over.", example: false }),
      })
      .nullable()
      .meta({ description: "Second factor requirement; null when none applies." }),
  }),
});

const output = z.object({
  success,
  duty: DutyDetails.nullable().meta({
    description: "Second factor requirement for the team; null if not required.",
  }),
  without_count: count.meta({
    description:
      "Number of active customers and agents, including those of customers, with neither a second factor nor a passkey.",
  }),
});

const REACH_TEXT =
  "It applies to the reseller's customers and agents and to the customers' agents, in addition to the platform's own " +
  "requirement: the earlier day counts.";

export const getTeamFactorDuty = operation({
  id: "getTeamFactorDuty",
  method: "GET",
  path: "/api/reseller/second-factor-duty",
  tag: "Customers",
  summary: "Get the second factor requirement of the reseller's team",
  description: REACH_TEXT,
  access: "token",
  ability: "reseller:read",
  status: 200,
  output,
  errors: ["agreement_unsigned"],
});

export const putTeamFactorDuty = operation({
  id: "putTeamFactorDuty",
  method: "PUT",
  path: "/api/reseller/second-factor-duty",
  tag: "Customers",
  summary: "Require a second factor from the reseller's team",
  description: `Needs a fresh proof of identity. ${REACH_TEXT} Accounts without one are mailed a week before the grace period ends. ${EXPECTED_TEXT}`,
  access: "token",
  ability: "*",
  limit: { points: 30, per: 3600, by: "account" },
  body: z.object({
    duty: Duty.nullable().meta({ description: "Second factor requirement; null to require none." }),
    expected: z
      .object({
        duty: Duty.nullable().meta({ description: "Requirement the caller last saw; null for none." }),
      })
      .optional()
      .meta({ description: "Values the caller last saw; 409 if one of them has changed." }),
  }),
  status: 200,
  output: output.extend({ message }),
  errors: ["agreement_unsigned", "identity_unproven", "stale"],
});
