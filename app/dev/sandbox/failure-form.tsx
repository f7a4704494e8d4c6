"use client";

import { useTranslations } from "next-intl";
import { api, call } from "@/components/api/client";
import { FormField } from "@/components/form/form-field";
import { FormNumber } from "@/components/form/form-number";
import { FormSelect } from "@/components/form/form-select";
import { OperationForm, SubmitButton } from "@/components/form/operation-form";
import { useOperationForm } from "@/components/form/use-operation-form";
import { Card } from "@/components/ui/card";
import { toast } from "@/components/ui/toast";
import { FAILURES, SERVICE_NAMES } from "@/server/domains/platform/sandbox/policy";

export function FailureForm() {
  const t = useTranslations("sandbox");
  const utils = api.useUtils();
  const form = useOperationForm(
    () => import("@/server/domains/platform/sandbox/contract").then((file) => file.scriptSandbox),
    {
      defaultValues: { party: "telegram", failure: "unavailable", match: "", times: 1 },
      submit: (body) => call.sandbox.script.mutate({ body }),
      showsSuccessToast: false,
      onSuccess: () => {
        toast.success(t("form.added"));
        void utils.sandbox.list.invalidate();
      },
    },
  );
  return (
    <Card title={t("form.title")}>
      <OperationForm form={form} label={t("form.title")}>
        <FormSelect
          name="party"
          label={t("form.party")}
          options={SERVICE_NAMES.map((value) => ({ value, label: t(`party.${value}`) }))}
        />
        <FormSelect
          name="failure"
          label={t("form.failure")}
          options={FAILURES.map((value) => ({ value, label: t(`failure.${value}`) }))}
        />
        <FormField
          name="match"
          label={t("form.match")}
          hint={t("form.matchHint")}
          optional
          autoComplete="off"
          dir="ltr"
        />
        <FormNumber name="times" label={t("form.times")} />
        <SubmitButton block>{t("form.submit")}</SubmitButton>
      </OperationForm>
    </Card>
  );
}
