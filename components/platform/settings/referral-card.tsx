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

/** What resellers earn by payments that are recorded from now on. */
export function ReferralCard({ settings }: { settings: readonly Setting[] }) {
  const t = useTranslations("platformSettings.referral");
  const save = api.settings.change.useMutation();
  const setting = settingOf(save.data?.settings ?? settings, "referral_rate");
  const seen = useRef(setting.updated_at);
  const form = useOperationForm(() => import("./forms").then((file) => file.referralForm), {
    defaultValues: { referral_rate: Number(setting.value) },
    submit: (body) =>
      save.mutateAsync({ body: { ...body, expected_updated_at: { referral_rate: seen.current } } }),
    onSuccess: (saved, values) => {
      seen.current = settingOf(saved.settings, "referral_rate").updated_at;
      toast.success(saved.message);
      form.reset(values);
    },
  });
  return (
    <Card title={t("title")} description={t("text")} footer={<ChangedBy setting={setting} />}>
      <OperationForm form={form} label={t("title")}>
        <FormNumber name="referral_rate" label={t("rate")} min={0} max={100} after="%" />
        <div>
          <SubmitButton>{t("save")}</SubmitButton>
        </div>
      </OperationForm>
    </Card>
  );
}
