import * as z from "zod";
import { operation } from "@/server/core/contract";
import { count, Done, domainName, flag, line, message, success, timestamp } from "@/server/core/schema";
import { EXPECTED_TEXT } from "@/server/core/stale";
import { portalAddress } from "@/server/domains/access/sign-in/contract";

const Portal = z
  .object({
    domain: z.string().meta({ example: "panel.example.com" }),
    /** Where customers sign in. */
    url: portalAddress,
    brand_name: z.string().meta({ example: "Kaya Ajans" }),
    lock_customers: z.boolean(),
    created_at: timestamp,
    /** When it was proved that the domain is the reseller's: until then the portal has no effect. */
    verified_at: timestamp.nullable(),
    /** Accounts the lock means. */
    customers_count: count,
  })
  .meta({ id: "Portal" });

const output = z.object({ success, portal: Portal.nullable() });

const LOCK_TEXT =
  "With `lock_customers`, the reseller's customers can sign in at the portal only; elsewhere they are refused with `portal_url`.";

export const getPortal = operation({
  id: "getPortal",
  method: "GET",
  path: "/api/reseller/portal",
  tag: "Resellers",
  summary: "Get the reseller's portal",
  description: `\`portal\` is null if there is none. ${LOCK_TEXT}`,
  access: "token",
  ability: "reseller:read",
  status: 200,
  output,
  errors: ["agreement_unsigned"],
});

export const putPortal = operation({
  id: "putPortal",
  method: "PUT",
  path: "/api/reseller/portal",
  tag: "Resellers",
  summary: "Set up or change the reseller's portal",
  description: `Needs a fresh proof of identity and a signed reseller agreement. ${LOCK_TEXT} ${EXPECTED_TEXT}`,
  access: "token",
  ability: "*",
  limit: { points: 30, per: 3600, by: "account" },
  body: z.object({
    /** Whose DNS record points at this installation. */
    domain: domainName.meta({ example: "panel.example.com" }),
    brand_name: line({ max: 60 }).meta({ example: "Kaya Ajans" }),
    lock_customers: flag.nullish(),
    /** Null: there was none. */
    expected: Portal.pick({ domain: true, brand_name: true, lock_customers: true }).nullish(),
  }),
  status: 200,
  output: output.extend({ message }),
  errors: ["agreement_unsigned", "identity_unproven", "stale"],
});

export const deletePortal = operation({
  id: "deletePortal",
  method: "DELETE",
  path: "/api/reseller/portal",
  tag: "Resellers",
  summary: "Remove the reseller's portal",
  description: "Customers then sign in at the platform's own address again. Needs a fresh proof of identity.",
  access: "token",
  ability: "*",
  status: 200,
  output: Done,
  errors: ["agreement_unsigned", "identity_unproven", "record_not_found"],
});
