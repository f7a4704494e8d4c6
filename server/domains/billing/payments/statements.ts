import * as z from "zod";
import { statement } from "@/server/infrastructure/database/statement";

/**
 * Row lock: payments of an account are recorded one after the other, and it does not end meanwhile. Rows that refer to
 * the account need not wait, or the creation of a site, which locks subscriptions first, would wait in a circle.
 */
export const lockCustomer = statement(
  z.strictObject({
    id: z.int(),
    name: z.string(),
    email: z.string(),
    locale: z.string().nullable(),
    timezone: z.string().nullable(),
    role: z.enum(["user", "reseller", "admin"]),
    isAgent: z.boolean(),
    isGone: z.boolean(),
  }),
)<{ userId: number }>`
  select id, name, email, locale, timezone, role, is_agent_only as "isAgent", anonymised_at is not null as "isGone"
    from users where id = ${(given) => given.userId} for no key update`;

/** Row lock, shared: the plan keeps its terms until they are those of the subscription. */
export const sharePlan = statement(
  z.strictObject({
    id: z.int(),
    name: z.string(),
    price: z.int(),
    currency: z.string(),
    billingPeriod: z.string(),
    siteSlots: z.int(),
    monthlyCredits: z.int(),
  }),
)<{ planId: number; ordered: boolean }>`
  select id, name, price, currency, billing_period as "billingPeriod", site_slots as "siteSlots",
         monthly_credits as "monthlyCredits"
    from subscription_plans
   where id = ${(given) => given.planId} and (${(given) => given.ordered}::boolean or (eligible and is_active)) for share`;
