"use client";

import { useTranslations } from "next-intl";
import { useRef } from "react";
import { useProven } from "@/components/accounts/proof/use-proven";
import { api } from "@/components/api/client";
import { FormCheckbox } from "@/components/form/form-checkbox";
import { FormNumber } from "@/components/form/form-number";
import { OperationForm, SubmitButton } from "@/components/form/operation-form";
import { useOperationForm } from "@/components/form/use-operation-form";
import { Card } from "@/components/ui/card";
import { toast } from "@/components/ui/toast";
import { ChangedBy } from "./changed-by";
import { type Setting, settingOf } from "./types";

const timesOf = (settings: readonly Setting[]) => ({
  factor_reset_delay_hours: settingOf(settings, "factor_reset_delay_hours").updated_at,
  two_administrators: settingOf(settings, "two_administrators").updated_at,
});

/** How long a reset of somebody's second factor waits, and who has to agree. */
export function ResetsCard({ settings }: { settings: readonly Setting[] }) {
  const t = useTranslations("platformSettings.resets");
  const save = api.settings.change.useMutation();
  const { prove, confirmation } = useProven();
  const now = save.data?.settings ?? settings;
  const seen = useRef(timesOf(now));
  const [hours, two] = [settingOf(now, "factor_reset_delay_hours"), settingOf(now, "two_administrators")];
  const form = useOperationForm(() => import("./forms").then((file) => file.resetsForm), {
    defaultValues: { factor_reset_delay_hours: Number(hours.value), two_administrators: two.value === true },
    submit: (body) =>
      prove(t("title"), () => save.mutateAsync({ body: { ...body, expected_updated_at: seen.current } })),
    onSuccess: (saved, values) => {
      if (!saved) return;
      seen.current = timesOf(saved.settings);
      toast.success(saved.message);
      form.reset(values);
    },
  });
  const last = (two.updated_at ?? "") > (hours.updated_at ?? "") ? two : hours;
  return (
    <Card title={t("title")} description={t("text")} footer={<ChangedBy setting={last} />}>
      <OperationForm form={form} label={t("title")}>
        <FormNumber
          name="factor_reset_delay_hours"
          label={t("hours")}
          hint={t("hoursHint")}
          min={0}
          max={168}
        />
        <FormCheckbox name="two_administrators" label={t("two")} hint={t("twoHint")} />
        <div>
          <SubmitButton>{t("save")}</SubmitButton>
        </div>
      </OperationForm>
      {confirmation}
    </Card>
  );
}
