import * as z from "zod";
import { statement } from "@/server/infrastructure/database/statement";

/**
 * Serialises payments of an account and blocks its erasure. Do not use `for update`: it would block inserts
 * that refer to the account, and deadlock with site creation, which locks subscriptions first.
 */
export const lockPayer = statement(
  z.strictObject({
    id: z.int(),
    name: z.string(),
    email: z.string(),
    locale: z.string().nullable(),
    signUpLocale: z.string().nullable(),
    timezone: z.string().nullable(),
    role: z.enum(["user", "reseller", "admin"]),
    isAgent: z.boolean(),
    isErased: z.boolean(),
  }),
)<{ userId: number }>`
  select id, name, email, locale, sign_up_locale as "signUpLocale", timezone, role, is_agent_only as "isAgent", anonymised_at is not null as "isErased"
    from users where id = ${(input) => input.userId} for no key update`;

/**
 * Share lock: the plan's terms cannot change before they are copied into the subscription. A plan that was
 * ordered may be activated although it is no longer offered.
 */
export const lockPlanForShare = statement(
  z.strictObject({
    id: z.int(),
    name: z.string(),
    price: z.int(),
    currency: z.string(),
    billingPeriod: z.string(),
    siteSlots: z.int(),
    monthlyCredits: z.int(),
  }),
)<{ planId: number; hasOrder: boolean }>`
  select id, name, price, currency, billing_period as "billingPeriod", site_slots as "siteSlots",
         monthly_credits as "monthlyCredits"
    from subscription_plans
   where id = ${(input) => input.planId} and (${(input) => input.hasOrder}::boolean or (eligible and is_active)) for share`;
