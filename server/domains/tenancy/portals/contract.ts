import * as z from "zod";
import { operation } from "@/server/core/contract";
import { domainName, flag, line, success, timestamp } from "@/server/core/schema";

const Portal = z.object({
  domain: z.string(),
  /** Where customers sign in. */
  url: z.string(),
  brand_name: z.string(),
  lock_customers: z.boolean(),
  created_at: timestamp,
  /** Accounts the lock means. */
  customers_count: z.int(),
});

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
});

export const putPortal = operation({
  id: "putPortal",
  method: "PUT",
  path: "/api/reseller/portal",
  tag: "Resellers",
  summary: "Set up or change the reseller's portal",
  description: `Needs a fresh proof of identity. ${LOCK_TEXT}`,
  access: "token",
  ability: "*",
  limit: { points: 30, per: 3600, by: "account" },
  body: z.object({
    /** Whose DNS record points at this installation. */
    domain: domainName,
    brand_name: line({ max: 60 }),
    lock_customers: flag.nullish(),
  }),
  status: 200,
  output: output.extend({ message: z.string() }),
  errors: ["identity_unproven"],
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
  output: z.object({ success, message: z.string() }),
  errors: ["identity_unproven", "record_not_found"],
});
