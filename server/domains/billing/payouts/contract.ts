import * as z from "zod";
import { operation } from "@/server/core/contract";
import { listFilter, PageMeta, pageQuery } from "@/server/core/list";
import { block, line, message, pathId, recordId, success, timestamp } from "@/server/core/schema";
import { amount } from "@/server/domains/billing/payments/contract";
import { day } from "@/server/domains/billing/records/contract";

const money = z.number().meta({ example: 1250.5 });
const currency = z.string().meta({ example: "TRY" });

export const Payout = z
  .object({
    id: recordId,
    amount: money,
    currency,
    /** The last day in Turkey whose earnings are in it. */
    until: z.string().meta({ example: "2027-10-31" }),
    /** The day of the transfer. */
    paid_at: z.string().meta({ example: "2027-11-05" }),
    reference: z.string().nullable().meta({ example: "T01234569" }),
    note: z.string().nullable().meta({ example: null }),
    created_at: timestamp,
  })
  .meta({ id: "ReferralPayout" });

const OpenEarnings = z
  .object({
    /** The reseller's account. */
    id: recordId,
    name: z.string().meta({ example: "Selin Arslan" }),
    email: z.string().meta({ example: "selin@example.com" }),
    /** Earned until that day and not paid out, less what was taken back after it was paid out. May be below zero. */
    open: money,
    /** All pay-outs so far. */
    paid: money,
    currency,
    last_paid_at: z.string().nullable().meta({ example: "2027-10-05" }),
  })
  .meta({ id: "OpenEarnings" });

const ADMIN = { tag: "Resellers", access: "token", ability: "admin:*" } as const;

export const listOpenEarnings = operation({
  id: "listOpenEarnings",
  method: "GET",
  path: "/api/admin/referral-earnings",
  ...ADMIN,
  summary: "List what resellers of the referral programme are owed",
  description:
    "Everybody who has earned something; the largest open sum first. `until` is the last day in Turkey whose earnings count, " +
    "today by default. `q` finds names and addresses.",
  query: listFilter({ sorts: ["open", "name"], filters: { until: day.nullish() } }).extend(pageQuery.shape),
  status: 200,
  output: z.object({
    success,
    until: z.string().meta({ example: "2027-10-31" }),
    data: z.array(OpenEarnings),
    meta: PageMeta,
  }),
});

export const recordPayout = operation({
  id: "recordPayout",
  method: "POST",
  path: "/api/admin/users/{id}/payouts",
  ...ADMIN,
  summary: "Record that a reseller's open earnings were paid out",
  description:
    "Needs a fresh proof of identity. " +
    "`amount` is the whole sum that is open until that day; another sum is refused (422), so that nothing is paid out twice. " +
    "What is taken back later makes the next pay-out smaller. The reseller gets a mail and sees reference and note.",
  record: "User",
  limit: { points: 60, per: 3600, by: "account" },
  idempotent: true,
  params: z.object({ id: pathId }),
  body: z.object({
    amount,
    until: day.nullish(),
    paid_at: day.nullish(),
    reference: line({ max: 140 }).meta({ example: "T01234569" }).nullish(),
    note: block({ max: 2000 }).meta({ example: "October and November." }).nullish(),
  }),
  status: 201,
  output: z.object({ success, message, payout: Payout }),
  errors: ["identity_unproven", "record_not_found", "payout_changed"],
});
