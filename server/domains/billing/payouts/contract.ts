import * as z from "zod";
import { operation } from "@/server/core/contract";
import { listFilter, PageMeta, pageQuery } from "@/server/core/list";
import { block, createdAt, line, message, pathId, recordId, success } from "@/server/core/schema";
import { amount } from "@/server/domains/billing/payments/contract";
import { day } from "@/server/domains/billing/records/contract";

const money = z.number().meta({ example: 1250.5 });
const currency = z.string().meta({ description: "ISO 4217 currency code.", example: "TRY" });

export const Payout = z
  .object({
    id: recordId,
    amount: money.meta({ description: "Amount paid out." }),
    currency,
    until: z
      .string()
      .meta({ description: "Last day, in Turkey, whose earnings are included.", example: "2027-10-31" }),
    paid_at: z.string().meta({ description: "Day of the transfer.", example: "2027-11-05" }),
    reference: z
      .string()
      .nullable()
      .meta({ description: "Reference of the transfer; null if none.", example: "T01234569" }),
    note: z.string().nullable().meta({ description: "Note to the reseller; null if none.", example: null }),
    created_at: createdAt,
  })
  .meta({ id: "ReferralPayout", description: "A pay-out of referral earnings." });

const OpenEarnings = z
  .object({
    id: recordId.meta({ description: "ID of the reseller's account." }),
    name: z.string().meta({ description: "Name of the reseller.", example: "Selin Arslan" }),
    email: z.string().meta({ description: "E-mail address of the reseller.", example: "selin@example.com" }),
    open: money.meta({ description: "Earnings not paid out yet, less later reversals; may be negative." }),
    paid: money.meta({ description: "Total of all pay-outs." }),
    currency,
    last_paid_at: z
      .string()
      .nullable()
      .meta({ description: "Day of the last pay-out; null if none.", example: "2027-10-05" }),
  })
  .meta({ id: "OpenEarnings", description: "Open referral earnings of a reseller." });

const ADMIN = { tag: "Resellers", access: "token", ability: "admin:*" } as const;

export const listOpenEarnings = operation({
  id: "listOpenEarnings",
  method: "GET",
  path: "/api/admin/referral-earnings",
  ...ADMIN,
  summary: "List the open earnings of the referral programme",
  description:
    "Every reseller with earnings, largest open sum first. `until` is the last day, in Turkey, whose earnings count; " +
    "today by default. `q` searches names and e-mail addresses.",
  query: listFilter({
    sorts: ["open", "name"],
    filters: {
      until: day
        .nullish()
        .meta({ description: "Last day, in Turkey, whose earnings count; today when omitted." }),
    },
  }).extend(pageQuery.shape),
  output: z.object({
    success,
    until: z
      .string()
      .meta({ description: "Last day, in Turkey, whose earnings count.", example: "2027-10-31" }),
    data: z.array(OpenEarnings).meta({ description: "Resellers on this page." }),
    meta: PageMeta,
  }),
});

export const recordPayout = operation({
  id: "recordPayout",
  method: "POST",
  path: "/api/admin/users/{id}/payouts",
  ...ADMIN,
  summary: "Record a pay-out of a reseller's open earnings",
  description:
    "Needs a fresh proof of identity. `amount` must equal the whole sum open until that day; any other amount gets 422, " +
    "so that nothing is paid twice. Later reversals reduce the next pay-out. The reseller gets a mail and sees reference " +
    "and note.",
  record: "User",
  limit: { points: 60, per: 3600, by: "account" },
  idempotent: true,
  params: z.object({ id: pathId }),
  body: z.object({
    amount: amount.meta({ description: "Whole sum that is open until that day." }),
    until: day
      .nullish()
      .meta({ description: "Last day, in Turkey, whose earnings count; today when omitted." }),
    paid_at: day.nullish().meta({ description: "Day of the transfer, in Turkey; today when omitted." }),
    reference: line({ max: 140 })
      .nullish()
      .meta({ description: "Reference of the transfer; null if none.", example: "T01234569" }),
    note: block({ max: 2000 })
      .nullish()
      .meta({ description: "Note to the reseller; null if none.", example: "October and November." }),
  }),
  status: 201,
  output: z.object({ success, message, payout: Payout }),
  errors: ["identity_unproven", "payout_changed"],
});
