import * as z from "zod";
import { operation } from "@/server/core/contract";
import { PageMeta, pageQuery } from "@/server/core/list";
import { count, line, MAX_ID, queryFlag, queryInt, recordId, success, timestamp } from "@/server/core/schema";
import { User } from "@/server/domains/accounts/profile/contract";
import { SORTS } from "./policy";

/** A reseller's customer (docs/contract.md 2.4). */
const Customer = z
  .object({
    id: recordId,
    name: User.shape.name,
    email: User.shape.email,
    phone: User.shape.phone,
    is_active: z.boolean(),
    /** Sites of the customer and of the accounts below. */
    sites_count: count,
    /** Running subscriptions of the customer, and active annual licences of those sites. */
    active_licenses_count: count,
    created_at: timestamp,
  })
  .meta({ id: "Customer" });

export const listCustomers = operation({
  id: "listCustomers",
  method: "GET",
  path: "/api/reseller/customers",
  tag: "Resellers",
  summary: "List the reseller's customers",
  description:
    "`search` finds customers that have all its words in name, e-mail address or telephone: İ, I, ı and i are one letter, and " +
    "marks do not count. Without a page: all, newest first, at most 10,000. With `page` or `per_page`: one page, with `meta`. " +
    "`count` is the number of rows in `data`. Administrators name the reseller by `reseller_id`.",
  access: "token",
  ability: "reseller:read",
  query: z
    .object({
      search: line({ max: 200 }).meta({ example: "ışıl" }).nullish(),
      is_active: queryFlag.meta({ example: "true" }).nullish(),
      sort: z.enum(SORTS).meta({ example: "-created_at" }).nullish(),
      reseller_id: queryInt({ min: 1, max: MAX_ID }).meta({ example: "7" }).nullish(),
    })
    .extend(pageQuery.shape),
  status: 200,
  output: z.object({ success, data: z.array(Customer), count, meta: PageMeta.optional() }),
  errors: ["agreement_unsigned"],
});
