"use client";

import dynamic from "next/dynamic";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { useFormat } from "@/components/ui/use-format";
import type { Filled } from "./adjust-form";

const AdjustForm = dynamic(() => import("./adjust-form").then((file) => file.AdjustForm), { ssr: false });

export interface AdjustCreditsProps {
  userId: number;
  /** Running subscriptions: the credits of a month of each can be given with a form that is filled in. */
  plans?: readonly { id: number; plan: string; credits: number }[];
}

/** Gives an account credits, or takes some. A button first: a form would take the focus. */
export function AdjustCredits({ userId, plans = [] }: AdjustCreditsProps) {
  const t = useTranslations("billingAdmin.credits");
  const { month, number } = useFormat();
  const [filled, setFilled] = useState<Filled>();
  if (filled) return <AdjustForm userId={userId} filled={filled} onDone={() => setFilled(undefined)} />;
  const noteOf = (plan: string) => t("monthNote", { plan, month: month(new Date()) });
  return (
    <div className="flex flex-wrap gap-3">
      <Button onClick={() => setFilled({ amount: "", note: "" })}>{t("open")}</Button>
      {plans.map(({ id, plan, credits }) => (
        <Button key={id} onClick={() => setFilled({ amount: credits, note: noteOf(plan) })}>
          {t("month", { plan, credits: number(credits) })}
        </Button>
      ))}
    </div>
  );
}
