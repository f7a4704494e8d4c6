"use client";

import { useTranslations } from "next-intl";
import { useRef } from "react";
import { api } from "@/components/api/client";
import { FormNumber } from "@/components/form/form-number";
import { OperationForm, SubmitButton } from "@/components/form/operation-form";
import { useOperationForm } from "@/components/form/use-operation-form";
import { Card } from "@/components/ui/card";
import { toast } from "@/components/ui/toast";
import { ChangedBy } from "./changed-by";
import { type Setting, settingOf } from "./types";

/** For how long resellers go on under the agreement they signed. */
export function AgreementCard({ settings }: { settings: readonly Setting[] }) {
  const t = useTranslations("platformSettings.agreement");
  const save = api.settings.change.useMutation();
  const setting = settingOf(save.data?.settings ?? settings, "agreement_grace_days");
  const seen = useRef(setting.updated_at);
  const form = useOperationForm(() => import("./forms").then((file) => file.agreementForm), {
    defaultValues: { agreement_grace_days: Number(setting.value) },
    submit: (body) =>
      save.mutateAsync({ body: { ...body, expected_updated_at: { agreement_grace_days: seen.current } } }),
    onSuccess: (saved, values) => {
      seen.current = settingOf(saved.settings, "agreement_grace_days").updated_at;
      toast.success(saved.message);
      form.reset(values);
    },
  });
  return (
    <Card title={t("title")} description={t("text")} footer={<ChangedBy setting={setting} />}>
      <OperationForm form={form} label={t("title")}>
        <FormNumber name="agreement_grace_days" label={t("days")} min={0} max={365} />
        <div>
          <SubmitButton>{t("save")}</SubmitButton>
        </div>
      </OperationForm>
    </Card>
  );
}
