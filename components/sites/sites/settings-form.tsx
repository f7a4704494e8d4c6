"use client";

import { useTranslations } from "next-intl";
import { FormField } from "@/components/form/form-field";
import { OperationForm } from "@/components/form/operation-form";
import { SaveBar } from "@/components/form/save-bar";
import { useStoredForm } from "@/components/form/use-stored-form";
import { Card } from "@/components/ui/card";
import { useFormat } from "@/components/ui/use-format";
import { SESSION_MESSAGES_MAX } from "@/server/domains/sites/sites/policy";
import { NameFields } from "./site-fields";
import type { SiteDetail } from "./types";
import { useUpdateSite } from "./use-update-site";

const toStoredValues = ({ name, domain, settings }: Pick<SiteDetail, "name" | "domain" | "settings">) => ({
  name,
  domain,
  settings: { max_messages_per_session: settings.max_messages_per_session },
});

export function SettingsForm({ site }: { site: SiteDetail }) {
  const t = useTranslations("sites");
  const { number } = useFormat();
  const { update, refresh, showSaved } = useUpdateSite(site.id);
  const form = useStoredForm(() => import("./forms").then((file) => file.siteForm), {
    stored: toStoredValues(site),
    toFormValues: ({ name, domain, settings }) => ({
      name,
      domain,
      max_messages: String(settings.max_messages_per_session),
    }),
    submit: ({ max_messages, ...values }, expected) =>
      update({ ...values, settings: { max_messages_per_session: Number(max_messages) }, expected }),
    showsSuccessToast: false,
    onSuccess: (saved) => showSaved(saved, () => form.replaceStoredValues(toStoredValues(saved.data))),
    onStale: refresh,
  });
  return (
    <OperationForm form={form} label={t("tabs.settings")}>
      <Card title={t("form.siteSection")} description={t("form.siteText")}>
        <div className="flex flex-col gap-5">
          <NameFields />
          <FormField
            name="max_messages"
            label={t("detail.messages")}
            hint={t("settings.messagesHint", { max: number(SESSION_MESSAGES_MAX) })}
            inputMode="numeric"
            autoComplete="off"
            dir="ltr"
          />
        </div>
      </Card>
      <SaveBar />
    </OperationForm>
  );
}
