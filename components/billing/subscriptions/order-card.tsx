"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { call } from "@/components/api/client";
import { useAction } from "@/components/form/use-action";
import { AlertDialog } from "@/components/ui/alert-dialog";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { useFormat } from "@/components/ui/use-format";
import { BankTransfer } from "./bank-transfer";
import type { Bank, OpenOrder } from "./types";

export function OrderCard({ order, bank }: { order: OpenOrder; bank: Bank | null }) {
  const t = useTranslations("billing.order");
  const { date: formatDate } = useFormat();
  const router = useRouter();
  const withdraw = useAction(() => call.subscriptions.withdraw.mutate({ params: { id: String(order.id) } }), {
    onSuccess: router.refresh,
  });
  return (
    <Card
      title={t("title", { plan: order.plan })}
      description={t("text", { date: formatDate(order.expires_at) })}
      heading="h3"
      actions={
        <AlertDialog
          trigger={
            <Button size="sm" labelSuffix={order.plan}>
              {t("cancel")}
            </Button>
          }
          title={t("cancelTitle", { plan: order.plan })}
          description={t("cancelText")}
          confirmLabel={t("cancel")}
          onConfirm={withdraw.attempt}
        />
      }
    >
      <BankTransfer {...order} bank={bank} />
    </Card>
  );
}
