"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { call } from "@/components/api/client";
import { ReasonAction } from "@/components/tenancy/administration/reason-action";
import { Card } from "@/components/ui/card";
import type { CustomerDetail } from "./types";

export function CustomerStatusCard({
  customer: { id, is_active, deactivated_by },
}: {
  customer: CustomerDetail;
}) {
  const t = useTranslations("customers.status");
  const router = useRouter();
  return (
    <Card title={t("title")}>
      {!is_active && deactivated_by !== "reseller" ? (
        <p className="text-sm">{t("held")}</p>
      ) : (
        <ReasonAction
          label={t(is_active ? "deactivate" : "activate")}
          text={t("text")}
          namespace="customers.status"
          danger={is_active}
          run={(reason) =>
            call.customers.setStatus.mutate({
              params: { id: String(id) },
              body: { reason, is_active: !is_active },
            })
          }
          onDone={() => router.refresh()}
        />
      )}
    </Card>
  );
}
