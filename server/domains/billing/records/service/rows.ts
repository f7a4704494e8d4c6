import type * as z from "zod";
import { columnToDay } from "@/server/core/calendar";
import { toAmount, toMinor } from "@/server/core/money";
import { toIsoMicros } from "@/server/core/time";
import { getLicenceDomain } from "@/server/domains/sites/slots/service/licences";
import type { Prisma } from "@/server/infrastructure/database/generated/client";
import type { LicenceRow, PaymentRow, SubscriptionRow } from "../contract";

const USER_ARGS = { select: { id: true, name: true, email: true } } as const;

export const SUBSCRIPTION_ARGS = {
  include: { user: USER_ARGS },
} as const satisfies Prisma.SubscriptionDefaultArgs;
export const PAYMENT_ARGS = {
  omit: { billToSealed: true },
  include: { user: USER_ARGS, document: { select: { id: true, state: true } } },
} as const satisfies Prisma.PaymentDefaultArgs;
export const LICENCE_ARGS = {
  include: { user: USER_ARGS, site: { select: { domain: true, deletedAt: true } } },
} as const satisfies Prisma.SiteLicenceDefaultArgs;

export function toSubscriptionRow(
  row: Prisma.SubscriptionGetPayload<typeof SUBSCRIPTION_ARGS>,
): z.output<typeof SubscriptionRow> {
  return {
    id: row.id,
    user_id: row.userId,
    user: row.user,
    plan_id: row.planId,
    plan: row.planName,
    status: row.status,
    is_trial: row.isTrial,
    price: toAmount(row.priceMinor),
    currency: row.currency,
    monthly_credits: row.monthlyCredits,
    site_slots: row.siteSlots,
    used_slots: row.usedSlots,
    starts_at: toIsoMicros(row.startsAt),
    ends_at: toIsoMicros(row.endsAt),
    reference: row.reference,
    closed_reason: row.closedReason,
    renews_subscription_id: row.renewsId,
    activated_by_id: row.activatedById,
    created_at: toIsoMicros(row.createdAt),
  };
}

export function toPaymentRow(
  row: Prisma.PaymentGetPayload<typeof PAYMENT_ARGS>,
): z.output<typeof PaymentRow> {
  return {
    id: row.id,
    user_id: row.userId,
    user: row.user,
    method: row.method,
    state: row.state,
    amount: toAmount(row.amountMinor),
    currency: row.currency,
    paid_at: columnToDay(row.paidAt),
    bank_reference: row.bankReference,
    note: row.note,
    subscription_id: row.subscriptionId,
    licence_id: row.licenceId,
    has_receipt: row.receiptKey !== null,
    invoice_id: row.document?.id ?? null,
    invoice: row.document?.state ?? null,
    recorded_by_id: row.recordedById,
    reversed_by_id: row.reversedById,
    reversed_at: toIsoMicros(row.reversedAt),
    reverse_reason: row.reverseReason,
    created_at: toIsoMicros(row.createdAt),
  };
}

export function toLicenceRow(
  row: Prisma.SiteLicenceGetPayload<typeof LICENCE_ARGS>,
): z.output<typeof LicenceRow> {
  return {
    id: row.id,
    user_id: row.userId,
    user: row.user,
    site_id: row.siteId,
    domain: getLicenceDomain(row) ?? row.site.domain,
    status: row.status,
    price: toAmount(toMinor(row.priceTry)),
    currency: "TRY",
    period_start: toIsoMicros(row.periodStart),
    period_end: toIsoMicros(row.periodEnd),
    pay_by: toIsoMicros(row.payBy),
    paid_at: toIsoMicros(row.paidAt),
    reference: row.reference,
    closed_reason: row.closedReason,
    absorbed_by_id: row.absorbedById,
    created_at: toIsoMicros(row.createdAt),
  };
}
