"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { call } from "@/components/api/client";
import { FormReason } from "@/components/form/form-reason";
import { OperationForm, SubmitButton } from "@/components/form/operation-form";
import { useOperationForm } from "@/components/form/use-operation-form";
import { Card } from "@/components/ui/card";
import type { CustomerDetail } from "./types";

export function CustomerStatusCard({
  customer: { id, is_active, deactivated_by },
}: {
  customer: CustomerDetail;
}) {
  const t = useTranslations("customers.status");
  const router = useRouter();
  const form = useOperationForm(() => import("./forms").then((file) => file.statusForm), {
    defaultValues: { reason: "" },
    submit: ({ reason }) =>
      call.customers.setStatus.mutate({
        params: { id: String(id) },
        body: { reason, is_active: !is_active },
      }),
    onSuccess: () => {
      form.reset({ reason: "" });
      router.refresh();
    },
  });
  if (!is_active && deactivated_by !== "reseller")
    return (
      <Card title={t("title")}>
        <p className="text-sm">{t("held")}</p>
      </Card>
    );
  const submitLabel = t(is_active ? "deactivate" : "activate");
  return (
    <Card title={t("title")} description={t("text")}>
      <OperationForm form={form} label={t("title")}>
        <FormReason label={t("reason")} hint={t("reasonHint")} />
        <SubmitButton>{submitLabel}</SubmitButton>
      </OperationForm>
    </Card>
  );
}
