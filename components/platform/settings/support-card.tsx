"use client";

import { useTranslations } from "next-intl";
import { useRef } from "react";
import { useProven } from "@/components/accounts/proof/use-proven";
import { api } from "@/components/api/client";
import { FormField } from "@/components/form/form-field";
import { OperationForm, SubmitButton } from "@/components/form/operation-form";
import { useOperationForm } from "@/components/form/use-operation-form";
import { Card } from "@/components/ui/card";
import { toast } from "@/components/ui/toast";
import { ChangedBy } from "./changed-by";
import { type Setting, settingOf } from "./types";

const KEY = "support_contact";

/** Whom people ask for help. */
export function SupportCard({ settings }: { settings: readonly Setting[] }) {
  const t = useTranslations("platformSettings.support");
  const save = api.settings.change.useMutation();
  const { prove, confirmation } = useProven();
  const setting = settingOf(save.data?.settings ?? settings, KEY);
  const seen = useRef(setting.updated_at);
  const stored = setting.value as { email: string; url?: string | null } | null;
  const form = useOperationForm(() => import("./forms").then((file) => file.supportForm), {
    defaultValues: { email: stored?.email ?? "", url: stored?.url ?? "" },
    submit: (contact) =>
      prove(t("title"), () =>
        save.mutateAsync({ body: { [KEY]: contact, expected_updated_at: { [KEY]: seen.current } } }),
      ),
    onSuccess: (saved, values) => {
      if (!saved) return;
      seen.current = settingOf(saved.settings, KEY).updated_at;
      toast.success(saved.message);
      form.reset(values);
    },
  });
  return (
    <Card
      title={t("title")}
      description={t("text")}
      footer={<ChangedBy setting={setting} never={t("never")} />}
    >
      <OperationForm form={form} label={t("title")}>
        <FormField name="email" label={t("email")} type="email" autoComplete="off" dir="ltr" />
        <FormField name="url" label={t("url")} type="url" autoComplete="off" dir="ltr" optional />
        <div>
          <SubmitButton>{t("save")}</SubmitButton>
        </div>
      </OperationForm>
      {confirmation}
    </Card>
  );
}
