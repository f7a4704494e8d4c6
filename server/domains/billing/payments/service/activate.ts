import { addMonths, toTurkishDay } from "@/server/core/calendar";
import type { Context, UserActor } from "@/server/core/context";
import { requireAdministrator } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { invalidField } from "@/server/core/errors";
import { formatMoney, prorate, toMinor } from "@/server/core/money";
import { formatText } from "@/server/core/texts";
import { DAY, fromNow, toIsoMicros } from "@/server/core/time";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import { withIdempotency } from "@/server/domains/accounts/idempotency/service";
import type { UserMail } from "@/server/domains/accounts/users/service/notify";
import { requireProof } from "@/server/domains/accounts/users/service/proof";
import { emitWebhookEvent } from "@/server/domains/accounts/webhooks/service/events";
import { saveBillingProfile } from "@/server/domains/billing/billing-profile/service";
import {
  PAYMENT_ARGS,
  SUBSCRIPTION_ARGS,
  toPaymentRow,
  toSubscriptionRow,
} from "@/server/domains/billing/records/service/rows";
import { getPeriodMonths } from "@/server/domains/billing/subscriptions/service/create-subscription";
import { listOpenOrders } from "@/server/domains/billing/subscriptions/service/orders";
import { lockSlots } from "@/server/domains/sites/slots/service";
import {
  absorbLicences,
  type LicenceWithSite,
  lockPendingLicences,
} from "@/server/domains/sites/slots/service/licences";
import {
  type AffectedSite,
  moveSitesIntoFreeSlots,
  releaseSubscriptionSites,
  restoreSitesIntoFreeSlots,
} from "@/server/domains/sites/slots/service/release";
import { getAccountBrand } from "@/server/infrastructure/brand/brand";
import type { Prisma } from "@/server/infrastructure/database/generated/client";
import { runAndRollBack } from "@/server/infrastructure/database/transaction";
import { renderMail } from "@/server/infrastructure/mail/template";
import type { activateSubscription, previewActivation } from "../contract";
import { lockPlanForShare } from "../statements";
import {
  type Customer,
  formatLongDay,
  getCustomerLocale,
  lockPayingCustomer,
  mailCustomer,
  recordPayment,
  resolvePaymentDay,
  toCustomerSummary,
} from "./record-payment";
import { closeRenewedSubscription, findRunningTrial, getPeriodStart, openSubscription } from "./renewals";

type ActivationBody = Input<typeof activateSubscription>["body"];

/** Within this time, a transfer with the same reference and amount is probably a duplicate. */
const SAME_TRANSFER_DAYS = 30;

/** Records a bank transfer and activates a subscription. Not idempotent without an idempotency key. */
export async function activateSubscriptionByTransfer(
  ctx: Context<UserActor>,
  { body }: Input<typeof activateSubscription>,
): Promise<Output<typeof activateSubscription>> {
  requireAdministrator(ctx.actor);
  await requireProof(ctx, { routine: true });
  return withIdempotency(ctx, async (tx) => {
    const { customer, mail, trial_ends_at: _trialEnd, ...result } = await performActivation(tx, body);
    if (mail) await mailCustomer(tx, customer, mail);
    return {
      success: true as const,
      message: formatText(ctx.locale, "responses.subscription_activated"),
      ...result,
    };
  });
}

/** Previews an activation by running it in a transaction that is rolled back. */
export async function previewActivationByTransfer(
  ctx: Context<UserActor>,
  { body }: Input<typeof previewActivation>,
): Promise<Output<typeof previewActivation>> {
  requireAdministrator(ctx.actor);
  const [recentActivations, openOrders, { customer, mail, subscription, payment, ...result }] =
    await Promise.all([
      findRecentActivations(ctx, body),
      listOpenOrders(ctx, body.user_id),
      runAndRollBack(ctx, (tx) => performActivation(tx, body)),
    ]);
  const { id: _id, reference: _reference, ...previewSubscription } = subscription;
  const {
    id: _paymentId,
    subscription_id: _subscriptionId,
    invoice_id: _invoiceId,
    ...previewPayment
  } = payment;
  return {
    success: true,
    ...result,
    subscription: previewSubscription,
    payment: previewPayment,
    mail: mail && (await renderMailPreview(ctx, customer, mail)),
    recent: recentActivations,
    other_orders: openOrders.filter(({ id }) => id !== body.order_id),
    same_transfer: await findSameTransfers(ctx, body, payment.amount),
  };
}

/** Lock order: account, plan, slots, licences, subscription, payment. */
async function performActivation(tx: Context<UserActor>, body: ActivationBody) {
  // Reject an invalid day before locking anything.
  resolvePaymentDay(body);
  const customer = await lockPayingCustomer(tx, body.user_id);
  if (!customer || customer.isAgent || customer.role === "admin") throw invalidField("user_id", "customer");
  const [plan] = await lockPlanForShare(tx, { planId: body.plan_id, hasOrder: body.order_id != null });
  if (!plan) throw invalidField("plan_id", "plan_not_eligible");
  await lockSlots(tx, customer.id);
  const licences = await findSelectedLicences(tx, body);

  const months = body.period_months ?? 12;
  const renewedId = body.renews_subscription_id ?? (await findRunningTrial(tx, customer.id));
  const renewedSubscription = renewedId
    ? await closeRenewedSubscription(tx, { id: renewedId, userId: customer.id })
    : undefined;
  const periodStart = getPeriodStart(renewedSubscription);
  const newSubscription = await openSubscription(tx, {
    userId: customer.id,
    plan,
    orderId: body.order_id ?? null,
    renewsId: renewedSubscription?.id ?? null,
    startsAt: new Date(Math.min(Date.now(), periodStart.getTime())),
    endsAt: addMonths(periodStart, months),
  });
  if (body.bill_to) await saveBillingProfile(tx, customer.id, body.bill_to);
  const { payment, invoice } = await recordPayment(tx, customer, {
    ...body,
    amountMinor:
      body.amount ??
      prorate(months, {
        priceMinor: newSubscription.priceMinor,
        priceMonths: getPeriodMonths(plan.billingPeriod),
      }),
    subscriptionId: newSubscription.id,
  });

  const subscriptionId = newSubscription.id;
  const suspendedSites = renewedSubscription
    ? await takeOverSites(tx, { from: renewedSubscription.id, to: subscriptionId, customer })
    : [];
  const { absorbed: absorbedLicences, remaining: remainingLicences } = await absorbLicences(tx, {
    licences,
    subscriptionId,
  });
  const restoredSites = await restoreSitesIntoFreeSlots(tx, { userId: customer.id, subscriptionId });
  await audit(tx, {
    action: "subscription.activated",
    object: { type: "Subscription", id: subscriptionId },
    details: {
      user: customer.id,
      plan: newSubscription.planName,
      months,
      payment: payment.id,
      absorbed: absorbedLicences.length,
    },
  });
  await emitWebhookEvent(tx, {
    type: "subscription.activated",
    ownerId: customer.id,
    data: {
      id: subscriptionId,
      plan: newSubscription.planName,
      is_trial: false,
      user_id: customer.id,
      ends_at: toIsoMicros(newSubscription.endsAt),
    },
  });
  // A trigger has updated `used_slots` as sites moved.
  const { usedSlots } =
    renewedSubscription || absorbedLicences.length + restoredSites.length > 0
      ? await tx.db.subscription.findUniqueOrThrow({
          where: { id: subscriptionId },
          select: { usedSlots: true },
        })
      : newSubscription;
  const subscription = { ...newSubscription, usedSlots, user: toCustomerSummary(customer) };
  return {
    customer,
    mail: body.send_email === false ? null : buildActivationMail(customer, subscription, payment),
    subscription: toSubscriptionRow(subscription),
    payment: toPaymentRow(payment),
    absorbed: {
      licenses: absorbedLicences.map(toLicenceLine),
      sites: absorbedLicences.map(({ site }) => toSiteLine(site)),
      not_fitting: remainingLicences.map(toLicenceLine),
    },
    restored_sites: restoredSites.map(toSiteLine),
    suspended_sites: suspendedSites.map(toSiteLine),
    trial_ends_at: renewedSubscription?.isTrial ? toIsoMicros(renewedSubscription.endsAt) : null,
    invoice,
  };
}

async function findSelectedLicences(
  tx: Context,
  { user_id, absorbableLicenses: selection }: Pick<ActivationBody, "user_id" | "absorbableLicenses">,
): Promise<LicenceWithSite[]> {
  if (!selection || (Array.isArray(selection) && selection.length === 0)) return [];
  const pendingLicences = await lockPendingLicences(tx, user_id);
  if (selection === true) return pendingLicences;
  const selectedLicences = pendingLicences.filter(({ id }) => selection.includes(id));
  if (selectedLicences.length !== new Set(selection).size)
    throw invalidField("absorbableLicenses", "licences_not_pending");
  return selectedLicences;
}

async function takeOverSites(
  tx: Context,
  { from, to, customer }: { from: number; to: number; customer: Customer },
): Promise<AffectedSite[]> {
  await moveSitesIntoFreeSlots(tx, { fromSubscriptionId: from, toSubscriptionId: to });
  const { suspended } = await releaseSubscriptionSites(tx, { subscriptionId: from, userId: customer.id });
  return suspended;
}

function buildActivationMail(
  customer: Customer,
  subscription: Prisma.SubscriptionGetPayload<typeof SUBSCRIPTION_ARGS>,
  payment: { amountMinor: number; currency: string },
): UserMail {
  const locale = getCustomerLocale(customer);
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

async function renderMailPreview(ctx: Context, customer: Customer, { template, params, path }: UserMail) {
  const { subject, html } = renderMail(
    { template, path, locale: getCustomerLocale(customer), params: { name: customer.name, ...params } },
    await getAccountBrand(ctx, customer.id),
  );
  return { subject, html };
}

async function findRecentActivations({ db }: Context, { user_id, plan_id }: ActivationBody) {
  const rows = await db.subscription.findMany({
    where: {
      userId: user_id,
      planId: plan_id,
      payments: { some: { state: "recorded", createdAt: { gt: fromNow(-DAY) } } },
    },
    orderBy: { id: "desc" },
    ...SUBSCRIPTION_ARGS,
  });
  return rows.map(toSubscriptionRow);
}

async function findSameTransfers(
  { db }: Context,
  { bank_reference, amount }: ActivationBody,
  previewAmount: number,
) {
  if (!bank_reference) return [];
  const rows = await db.payment.findMany({
    where: {
      bankReference: { equals: bank_reference, mode: "insensitive" },
      amountMinor: amount ?? toMinor(previewAmount),
      state: "recorded",
      paidAt: { gte: new Date(toTurkishDay(fromNow(-SAME_TRANSFER_DAYS * DAY))) },
    },
    orderBy: { id: "desc" },
    ...PAYMENT_ARGS,
  });
  return rows.map(toPaymentRow);
}

function toLicenceLine({ id, siteId, status, reference }: LicenceWithSite) {
  return { id, site_id: siteId, status, reference };
}

function toSiteLine({ id, name, domain, isActive }: AffectedSite) {
  return { id, name, domain, is_active: isActive };
}
