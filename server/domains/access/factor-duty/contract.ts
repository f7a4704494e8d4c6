import * as z from "zod";
import { operation } from "@/server/core/contract";
import { count, message, success, timestamp } from "@/server/core/schema";
import { Duty, DutyDetails } from "@/server/core/settings";
import { EXPECTED_TEXT } from "@/server/core/stale";

const OVERDUE_TEXT =
  "After that moment every other call answers 403 with `requires_two_factor_setup`, for API keys, too, except the profile, " +
  "ways in and sign-out. Keys of sites go on.";

export const getFactorDuty = operation({
  id: "getFactorDuty",
  method: "GET",
  path: "/api/user/second-factor-duty",
  tag: "Second factor",
  summary: "Get by when the account needs a second factor",
  description: `\`duty\` is null for an account that has a second factor or a passkey, or that nobody asks for one. ${OVERDUE_TEXT}`,
  access: "token",
  viewAs: "self",
  withoutFactor: true,
  status: 200,
  output: z.object({
    success,
    duty: z
      .object({
        /** The end of the days of grace. */
        enrol_by: timestamp,
        overdue: z.boolean().meta({ example: false }),
      })
      .nullable(),
  }),
});

const output = z.object({
  success,
  duty: DutyDetails.nullable(),
  /** Active customers and agents, theirs and their customers', who have neither a second factor nor a passkey. */
  without_count: count,
});

const REACH_TEXT =
  "It holds for the reseller's customers, the reseller's agents and theirs, besides what the platform asks of " +
  "everybody: the earlier day counts.";

export const getTeamFactorDuty = operation({
  id: "getTeamFactorDuty",
  method: "GET",
  path: "/api/reseller/second-factor-duty",
  tag: "Customers",
  summary: "Get whether the reseller's people need a second factor",
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
  summary: "Ask the reseller's people for a second factor",
  description: `Needs a fresh proof of identity. ${REACH_TEXT} Whoever has none is mailed a week before the days of grace end. ${EXPECTED_TEXT}`,
  access: "token",
  ability: "*",
  limit: { points: 30, per: 3600, by: "account" },
  body: z.object({
    /** Null: nobody is asked any more. */
    duty: Duty.nullable(),
    expected: z.object({ duty: Duty.nullable() }).optional(),
  }),
  status: 200,
  output: output.extend({ message }),
  errors: ["agreement_unsigned", "identity_unproven", "stale"],
});
