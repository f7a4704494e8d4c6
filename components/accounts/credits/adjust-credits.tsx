"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { getPreloadProps, lazyPart } from "@/components/ui/lazy-part";
import { useFormat } from "@/components/ui/use-format";
import type { InitialValues } from "./adjust-form";

const AdjustForm = lazyPart(() => import("./adjust-form").then((file) => file.AdjustForm));

export interface AdjustCreditsProps {
  userId: number;
  /** Active subscriptions: a button for each prefills the form with its monthly credits. */
  subscriptions?: readonly { id: number; plan: string; credits: number }[];
}

/** Opens the adjustment form on demand, because the form takes the focus. */
export function AdjustCredits({ userId, subscriptions = [] }: AdjustCreditsProps) {
  const t = useTranslations("billingAdmin.credits");
  const { month: formatMonth, number: formatNumber } = useFormat();
  const [initialValues, setInitialValues] = useState<InitialValues>();
  if (initialValues)
    return (
      <AdjustForm userId={userId} initialValues={initialValues} onDone={() => setInitialValues(undefined)} />
    );
  const buildNote = (plan: string) => t("monthNote", { plan, month: formatMonth(new Date()) });
  return (
    <div className="flex flex-wrap gap-3">
      <Button {...getPreloadProps(AdjustForm)} onClick={() => setInitialValues({ amount: "", note: "" })}>
        {t("open")}
      </Button>
      {subscriptions.map(({ id, plan, credits }) => (
        <Button
          key={id}
          {...getPreloadProps(AdjustForm)}
          onClick={() => setInitialValues({ amount: credits, note: buildNote(plan) })}
        >
          {t("month", { plan, credits: formatNumber(credits) })}
        </Button>
      ))}
    </div>
  );
}
