import type { Billing } from "./types";

/** Target of a payment with a reference. */
export type Payable = PayableBase &
  (
    | { kind: "order"; id: number; name: string; until: string }
    | {
        kind: "renewal";
        name: string;
        until: string;
        sitesUntil: string | null;
        isPastDue: boolean;
        firstReminderDay: string | undefined;
      }
    | { kind: "licence"; name: string; until: string }
  );

interface PayableBase {
  reference: string;
  amount: number;
  currency: string;
}

/** Finds the open order, running plan or unpaid licence with this reference. */
export function findPayable(
  { orders, subscriptions, licences }: Pick<Billing, "orders" | "subscriptions" | "licences">,
  reference: string,
): Payable | undefined {
  const order = orders.find((each) => each.reference === reference);
  if (order) return { ...order, kind: "order", name: order.plan, until: order.expires_at };
  const subscription = subscriptions.find((each) => each.reference === reference);
  if (subscription && subscription.status !== "expired" && !subscription.is_trial)
    return {
      kind: "renewal",
      reference,
      amount: subscription.renewal_amount,
      currency: subscription.currency,
      name: subscription.plan,
      until: subscription.ends_at,
      sitesUntil: subscription.slots_until,
      isPastDue: subscription.status === "past_due",
      firstReminderDay: subscription.reminder_days[0],
    };
  const licence = licences.find((each) => each.reference === reference && each.status === "pending");
  return (
    licence && {
      ...licence,
      kind: "licence",
      name: licence.site?.name ?? licence.domain ?? "",
      until: licence.pay_by,
    }
  );
}
