import * as z from "zod";
import { operation } from "@/server/core/contract";
import * as f from "@/server/core/field";
import { listFilter, PageMeta, pageQuery } from "@/server/core/list";
import { byId, createdAt, recordId, textBlock, textLine } from "@/server/core/schema";
import { amount } from "@/server/domains/billing/payments/contract";
import { day } from "@/server/domains/billing/records/contract";

const money = z.number().meta({ example: 1250.5 });
const currency = f.text("ISO 4217 currency code.", "TRY");

export const EarningSum = z.object({
  currency,
  paid: z.number().meta({ description: "Total of all pay-outs.", example: 2500 }),
  open: z.number().meta({
    description: "Amount of the next pay-out. Negative when more was reversed than earned.",
    example: 833.25,
  }),
});

export const Payout = f.namedObject("ReferralPayout", "A pay-out of referral earnings.", {
  id: recordId,
  amount: money.meta({ description: "Amount paid out." }),
  currency,
  until: f.text("Last day, in Turkey, whose earnings are included.", "2027-10-31"),
  paid_at: f.text("Day of the transfer, in Turkey.", "2027-11-05"),
  reference: f.nullable(z.string(), "Reference of the transfer; null if none.", "T01234566"),
  note: f.nullable(z.string(), "Note to the reseller; null if none.", null),
  created_at: createdAt,
});

const OpenEarnings = f.namedObject("OpenEarnings", "Open referral earnings of a reseller.", {
  id: recordId.meta({ description: "ID of the reseller's account." }),
  name: f.text("Name of the reseller.", "Selin Arslan"),
  email: f.text("Email address of the reseller.", "selin@example.com"),
  open: money.meta({
    description:
      "Earnings not paid out yet, minus paid-out earnings that were reversed later. Can be negative.",
  }),
  paid: money.meta({ description: "Total of all pay-outs." }),
  currency,
  last_paid_at: f.nullable(z.string(), "Day of the last pay-out; null if none.", "2027-10-05"),
});

const ADMIN_OPERATION = { tag: "Resellers", access: "token", ability: "admin:*" } as const;

export const listOpenEarnings = operation({
  id: "listOpenEarnings",
  method: "GET",
  path: "/api/admin/referral-earnings",
  ...ADMIN_OPERATION,
  summary: "List open referral earnings by reseller",
  description:
    "Lists all resellers with earnings, largest open sum first. `until` is the last day, in Turkey, whose earnings count; " +
    "today by default. `q` searches names and email addresses.",
  query: listFilter({
    sorts: ["open", "name"],
    filters: {
      until: f.nullish(day, "Last day, in Turkey, whose earnings count; today when omitted."),
    },
  }).extend(pageQuery.shape),
  output: f.success({
    until: f.text("Last day, in Turkey, whose earnings count.", "2027-10-31"),
    data: f.list(OpenEarnings, "Resellers on this page."),
    meta: PageMeta,
  }),
});

export const recordPayout = operation({
  id: "recordPayout",
  method: "POST",
  path: "/api/admin/users/{id}/payouts",
  ...ADMIN_OPERATION,
  summary: "Record a pay-out to a reseller",
  description:
    "Needs a recent proof of identity. `amount` must be the whole open sum up to `until`. Any other amount returns 422 " +
    "(`payout_changed`), so that no earning is paid twice. If a paid-out earning is reversed later, the next pay-out is " +
    "reduced by it. The reseller gets an email and sees `reference` and `note`.",
  ...byId("User"),
  limit: { points: 60, per: 3600, by: "account" },
  idempotent: true,
  body: z.object({
    amount: amount.meta({ description: "Whole open sum up to `until`, in TRY.", example: 1250.5 }),
    until: f.nullish(day, "Last day, in Turkey, whose earnings count; today when omitted."),
    paid_at: f.nullish(day, "Day of the transfer, in Turkey; today when omitted."),
    reference: f.nullish(textLine({ max: 140 }), "Reference of the transfer; null if none.", "T01234566"),
    note: f.nullish(textBlock({ max: 2000 }), "Note to the reseller; null if none.", "October and November."),
  }),
  status: 201,
  output: f.changeOutput({ payout: Payout }),
  errors: ["identity_unproven", "payout_changed"],
});
