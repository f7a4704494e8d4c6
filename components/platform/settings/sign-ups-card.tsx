"use client";

import { useTranslations } from "next-intl";
import { useRef } from "react";
import { api } from "@/components/api/client";
import { FormField } from "@/components/form/form-field";
import { OperationForm, SubmitButton } from "@/components/form/operation-form";
import { useOperationForm } from "@/components/form/use-operation-form";
import { Card } from "@/components/ui/card";
import { RadioGroup } from "@/components/ui/radio-group";
import { toast } from "@/components/ui/toast";
import { ChangedBy } from "./changed-by";
import { type Setting, settingOf } from "./types";

const CHOICES = ["open", "invitation", "closed"] as const;
type Choice = (typeof CHOICES)[number];

/** Who may open an account for themselves. */
export function SignUpsCard({ settings }: { settings: readonly Setting[] }) {
  const t = useTranslations("platformSettings.signUps");
  const save = api.settings.change.useMutation();
  const setting = settingOf(save.data?.settings ?? settings, "sign_up");
  const seen = useRef(setting.updated_at);
  const form = useOperationForm(() => import("./forms").then((file) => file.signUpsForm), {
    defaultValues: { sign_up: setting.value as Choice },
    submit: (body) => save.mutateAsync({ body: { ...body, expected_updated_at: { sign_up: seen.current } } }),
    onSuccess: (saved, values) => {
      seen.current = settingOf(saved.settings, "sign_up").updated_at;
      toast.success(saved.message);
      form.reset(values);
    },
  });
  return (
    <Card title={t("title")} description={t("text")} footer={<ChangedBy setting={setting} />}>
      <OperationForm form={form} label={t("title")}>
        <FormField name="sign_up" label={t("label")} group>
          {(control) => (
            <RadioGroup
              cards
              value={control.value as Choice}
              onValueChange={control.onChange}
              options={CHOICES.map((value) => ({
                value,
                label: t(`choice.${value}`),
                hint: t(`hint.${value}`),
              }))}
            />
          )}
        </FormField>
        <div>
          <SubmitButton>{t("save")}</SubmitButton>
        </div>
      </OperationForm>
    </Card>
  );
}
