"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { call } from "@/components/api/client";
import { useAction } from "@/components/form/use-action";
import { Button } from "@/components/ui/button";
import { announce } from "@/components/ui/live-regions";
import type { Plan } from "./types";

export function ChoosePlan({ plan }: { plan: Plan }) {
  const t = useTranslations("sites.plans");
  const router = useRouter();
  const order = useAction(() => call.subscriptions.order.mutate({ body: { plan_id: plan.id } }), {
    // The next page shows the order, and a toast would cover its plans.
    successText: false,
    onSuccess: () => {
      announce(t("ordered", { plan: plan.name }));
      router.push("/billing");
      router.refresh();
    },
  });
  return (
    <div className="mt-auto">
      <Button
        block
        variant="primary"
        labelSuffix={plan.name}
        working={order.isPending}
        onClick={() => order.run()}
      >
        {t("choose")}
      </Button>
    </div>
  );
}
