"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { call } from "@/components/api/client";
import { useAction } from "@/components/form/use-action";
import { AlertDialog } from "@/components/ui/alert-dialog";
import { Button } from "@/components/ui/button";
import type { OpenOrder } from "./types";

export function WithdrawOrder({ order }: { order: Pick<OpenOrder, "id" | "plan"> }) {
  const t = useTranslations("billing.order");
  const router = useRouter();
  const withdraw = useAction(() => call.subscriptions.withdraw.mutate({ params: { id: String(order.id) } }), {
    onSuccess: () => {
      router.push("/billing");
      router.refresh();
    },
  });
  return (
    <AlertDialog
      trigger={<Button labelSuffix={order.plan}>{t("cancel")}</Button>}
      title={t("cancelTitle", { plan: order.plan })}
      description={t("cancelText")}
      confirmLabel={t("cancel")}
      cancelLabel={t("keep")}
      onConfirm={withdraw.attempt}
    />
  );
}
