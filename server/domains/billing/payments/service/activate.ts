import { addMonths, dayOf } from "@/server/core/calendar";
import type { Context, UserActor } from "@/server/core/context";
import { requireAdministrator } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { invalid } from "@/server/core/errors";
import { formatMoney, prorate, toMinor } from "@/server/core/money";
import { text } from "@/server/core/texts";
import { DAY, fromNow, isoMicros } from "@/server/core/time";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import { withIdempotency } from "@/server/domains/accounts/idempotency/service";
import type { UserMail } from "@/server/domains/accounts/users/service/notify";
import { requireProof } from "@/server/domains/accounts/users/service/proof";
import { emit } from "@/server/domains/accounts/webhooks/service/events";
import { saveProfile } from "@/server/domains/billing/billing-profile/service";
import {
  PAYMENT,
  paymentRow,
  SUBSCRIPTION,
  subscriptionRow,
} from "@/server/domains/billing/records/service/rows";
import { lockSlots } from "@/server/domains/sites/slots/service";
import { absorbLicences, type Licence, pendingLicences } from "@/server/domains/sites/slots/service/licences";
import {
  type AffectedSite,
  moveSites,
  releaseSites,
  restoreSites,
} from "@/server/domains/sites/slots/service/release";
import { brandFor } from "@/server/infrastructure/brand/brand";
import type { Prisma } from "@/server/infrastructure/database/generated/client";
import { runAndRollBack } from "@/server/infrastructure/database/transaction";
import { renderMail } from "@/server/infrastructure/mail/template";
import type { activateSubscription, previewActivation } from "../contract";
import { lockPlanForShare } from "../statements";
import {
  type Customer,
  contactOf,
  formatLongDay,
  languageOf,
  lockPayingCustomer,
  mailCustomer,
  paymentDay,
  recordPayment,
} from "./record";
import { closeRenewed, openSubscription } from "./subscription";

type Body = Input<typeof activateSubscription>["body"];

/** Within this time, a transfer with the same reference and amount is probably a duplicate. */
const SAME_TRANSFER_DAYS = 30;

/** Records a bank transfer and activates a subscription. Not idempotent without an idempotency key. */
export async function activate(
  ctx: Context<UserActor>,
  { body }: Input<typeof activateSubscription>,
): Promise<Output<typeof activateSubscription>> {
  requireAdministrator(ctx.actor);
  await requireProof(ctx, { routine: true });
  return withIdempotency(ctx, async (tx) => {
    const { customer, mail, ...result } = await perform(tx, body);
    if (mail) await mailCustomer(tx, customer, mail);
    return {
      success: true as const,
      message: text(ctx.locale, "responses.subscription_activated"),
      ...result,
    };
  });
}

/** Previews an activation by running it in a transaction that is rolled back. */
export async function preview(
  ctx: Context<UserActor>,
  { body }: Input<typeof previewActivation>,
): Promise<Output<typeof previewActivation>> {
  requireAdministrator(ctx.actor);
  const [recent, { customer, mail, subscription, payment, ...result }] = await Promise.all([
    recentActivations(ctx, body),
    runAndRollBack(ctx, (tx) => perform(tx, body)),
  ]);
  const { id: _, reference: __, ...previewSubscription } = subscription;
  const { id: ___, subscription_id: ____, invoice_id: _____, ...previewPayment } = payment;
  return {
    success: true,
    ...result,
    subscription: previewSubscription,
    payment: previewPayment,
    mail: mail && (await renderPreview(ctx, customer, mail)),
    recent,
    same_transfer: await sameTransfers(ctx, body, payment.amount),
  };
}

/** Lock order: account, plan, slots, licences, subscription, payment. */
async function perform(tx: Context<UserActor>, body: Body) {
  paymentDay(body);
  const customer = await lockPayingCustomer(tx, body.user_id);
  if (!customer || customer.isAgent || customer.role === "admin") throw invalid("user_id", "customer");
  const [plan] = await lockPlanForShare(tx, { planId: body.plan_id, ordered: body.order_id != null });
  if (!plan) throw invalid("plan_id", "plan_not_eligible");
  await lockSlots(tx, customer.id);
  const licences = await selectedLicences(tx, body);

  const months = body.period_months ?? 12;
  const renewed = body.renews_subscription_id
    ? await closeRenewed(tx, { id: body.renews_subscription_id, userId: customer.id })
    : undefined;
  const from = renewed?.endsAt ?? new Date();
  const opened = await openSubscription(tx, {
    userId: customer.id,
    plan,
    orderId: body.order_id ?? null,
    renewsId: renewed?.id ?? null,
    startsAt: new Date(Math.min(Date.now(), from.getTime())),
    endsAt: addMonths(from, months),
  });
  if (body.bill_to) await saveProfile(tx, customer.id, body.bill_to);
  const { payment, invoice } = await recordPayment(tx, customer, {
    ...body,
    amountMinor: body.amount ?? prorate(months, { minor: opened.priceMinor, per: monthsOf(plan) }),
    subscriptionId: opened.id,
  });

  const subscriptionId = opened.id;
  const suspended = renewed ? await takeOver(tx, { from: renewed.id, to: subscriptionId, customer }) : [];
  const { absorbed, remaining } = await absorbLicences(tx, { licences, subscriptionId });
  const restored = await restoreSites(tx, { userId: customer.id, subscriptionId });
  await audit(tx, {
    action: "subscription.activated",
    object: { type: "Subscription", id: subscriptionId },
    details: {
      user: customer.id,
      plan: opened.planName,
      months,
      payment: payment.id,
      absorbed: absorbed.length,
    },
  });
  await emit(tx, {
    type: "subscription.activated",
    ownerId: customer.id,
    data: {
      id: subscriptionId,
      plan: opened.planName,
      user_id: customer.id,
      ends_at: isoMicros(opened.endsAt),
    },
  });
  // A trigger has updated `used_slots` as sites moved.
  const { usedSlots } =
    renewed || absorbed.length + restored.length > 0
      ? await tx.db.subscription.findUniqueOrThrow({
          where: { id: subscriptionId },
          select: { usedSlots: true },
        })
      : opened;
  const subscription = { ...opened, usedSlots, user: contactOf(customer) };
  return {
    customer,
    mail: body.send_email === false ? null : mailOf(customer, subscription, payment),
    subscription: subscriptionRow(subscription),
    payment: paymentRow(payment),
    absorbed: {
      licenses: absorbed.map(licenceLine),
      sites: absorbed.map(({ site }) => siteLine(site)),
      not_fitting: remaining.map(licenceLine),
    },
    restored_sites: restored.map(siteLine),
    suspended_sites: suspended.map(siteLine),
    invoice,
  };
}

/** Pending licences to absorb. Throws if one is not pending or belongs to another account. */
async function selectedLicences(
  tx: Context,
  { user_id, absorbableLicenses: selection }: Pick<Body, "user_id" | "absorbableLicenses">,
): Promise<Licence[]> {
  if (!selection || (Array.isArray(selection) && selection.length === 0)) return [];
  const pending = await pendingLicences(tx, user_id);
  if (selection === true) return pending;
  const requested = pending.filter(({ id }) => selection.includes(id));
  if (requested.length !== new Set(selection).size)
    throw invalid("absorbableLicenses", "licences_not_pending");
  return requested;
}

async function takeOver(
  tx: Context,
  { from, to, customer }: { from: number; to: number; customer: Customer },
): Promise<AffectedSite[]> {
  await moveSites(tx, { from, to });
  const { suspended } = await releaseSites(tx, { subscriptionId: from, userId: customer.id });
  return suspended;
}

function monthsOf({ billingPeriod }: { billingPeriod: string }): number {
  return billingPeriod === "monthly" ? 1 : 12;
}

function mailOf(
  customer: Customer,
  subscription: Prisma.SubscriptionGetPayload<typeof SUBSCRIPTION>,
  payment: { amountMinor: number; currency: string },
): UserMail {
  const locale = languageOf(customer);
  return {
    template: "subscription_activated",
    path: "/sites",
    params: {
      plan: subscription.planName,
      slots: subscription.siteSlots,
      ends: formatLongDay(subscription.endsAt, customer),
      amount: formatMoney(payment.amountMinor, { currency: payment.currency, locale }),
    },
  };
}

async function renderPreview(ctx: Context, customer: Customer, { template, params, path }: UserMail) {
  const { subject, html } = renderMail(
    { template, path, locale: languageOf(customer), params: { name: customer.name, ...params } },
    await brandFor(ctx, customer.id),
  );
  return { subject, html };
}

async function recentActivations({ db }: Context, { user_id, plan_id }: Body) {
  const rows = await db.subscription.findMany({
    where: {
      userId: user_id,
      planId: plan_id,
      status: { not: "pending" },
      createdAt: { gt: fromNow(-DAY) },
    },
    orderBy: { id: "desc" },
    ...SUBSCRIPTION,
  });
  return rows.map(subscriptionRow);
}

async function sameTransfers({ db }: Context, { bank_reference, amount }: Body, previewAmount: number) {
  if (!bank_reference) return [];
  const rows = await db.payment.findMany({
    where: {
      bankReference: { equals: bank_reference, mode: "insensitive" },
      amountMinor: amount ?? toMinor(previewAmount),
      state: "recorded",
      paidAt: { gte: new Date(dayOf(fromNow(-SAME_TRANSFER_DAYS * DAY))) },
    },
    orderBy: { id: "desc" },
    ...PAYMENT,
  });
  return rows.map(paymentRow);
}

function licenceLine({ id, siteId, status, reference }: Licence) {
  return { id, site_id: siteId, status, reference };
}

function siteLine({ id, name, domain, isActive }: AffectedSite) {
  return { id, name, domain, is_active: isActive };
}
