"use client";

import { clsx } from "clsx";
import { Check } from "lucide-react";
import { useTranslations } from "next-intl";
import { Day } from "@/components/billing/records/day";
import { Time } from "@/components/ui/time";
import { useNow } from "@/components/ui/use-now";
import type { BilledSubscription } from "./types";

const NOON = "T12:00:00Z";

export type RenewalDates = Pick<
  BilledSubscription,
  "reminder_days" | "ends_at" | "slots_until" | "used_slots" | "is_trial"
>;

/** Dates around the end of a subscription: reminders, the end, and the suspension of its sites. */
export function RenewalTimeline({ subscription }: { subscription: RenewalDates }) {
  const t = useTranslations("billing.timeline");
  const now = useNow(60_000) ?? Date.now();
  const { reminder_days: reminderDays, ends_at: endsAt, slots_until: slotsUntil } = subscription;
  const kind = subscription.is_trial ? "trial" : "plan";
  const pastReminderDays = reminderDays.filter((day) => Date.parse(day + NOON) <= now);
  const lastReminderDay = pastReminderDays.at(-1);
  const steps = [
    ...(lastReminderDay
      ? [
          {
            key: "reminded",
            at: lastReminderDay + NOON,
            date: <Day value={lastReminderDay} />,
            label: t("reminded", { count: pastReminderDays.length }),
          },
        ]
      : []),
    ...reminderDays.slice(pastReminderDays.length).map((day) => ({
      key: day,
      at: day + NOON,
      date: <Day value={day} />,
      label: t("reminder"),
    })),
    { key: "ends", at: endsAt, date: <Time value={endsAt} show="date" />, label: t(`ends.${kind}`) },
    ...(slotsUntil
      ? [
          {
            key: "suspends",
            at: slotsUntil,
            date: <Time value={slotsUntil} show="date" />,
            label: t("suspends", { count: subscription.used_slots }),
          },
        ]
      : []),
  ];
  const nextIndex = steps.findIndex(({ at }) => Date.parse(at) > now);
  return (
    <ol aria-label={t("label")} className="flex flex-col">
      {steps.map(({ key, date, label }, index) => {
        const isDone = nextIndex === -1 || index < nextIndex;
        const isNext = index === nextIndex;
        return (
          <li
            key={key}
            aria-current={isNext ? "step" : undefined}
            className="flex items-start gap-3 border-border pb-3 text-sm last:pb-0"
          >
            <span
              aria-hidden
              className={clsx(
                "mt-0.5 grid size-5 shrink-0 place-items-center rounded-full border",
                isDone && "border-transparent bg-sunken text-fg-muted",
                isNext && "border-primary-mark bg-primary-soft",
                !isDone && !isNext && "border-border-strong",
              )}
            >
              {isDone ? <Check className="size-3" /> : null}
            </span>
            <span className="flex min-w-0 flex-1 flex-wrap gap-x-3">
              <span className={clsx("w-28 shrink-0 tabular-nums", isNext ? "font-medium" : "text-fg-muted")}>
                {date}
              </span>
              <span className={isDone ? "text-fg-muted" : undefined}>
                <span>{label}</span>
                {isDone ? <span className="sr-only"> {t("done")}</span> : null}
              </span>
            </span>
          </li>
        );
      })}
    </ol>
  );
}
