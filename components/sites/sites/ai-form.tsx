"use client";

import { useTranslations } from "next-intl";
import { OperationForm } from "@/components/form/operation-form";
import { SaveBar } from "@/components/form/save-bar";
import { useStoredForm } from "@/components/form/use-stored-form";
import { Card } from "@/components/ui/card";
import { ProviderKeyCard } from "./provider-key-card";
import { AiFields } from "./site-fields";
import type { SiteDetail } from "./types";
import { useUpdateSite } from "./use-update-site";

const toStoredValues = (site: SiteDetail) => ({
  ai_enabled: site.ai_enabled,
  similarity_threshold: site.similarity_threshold,
  system_prompt: site.system_prompt ?? "",
});

export function AiForm({ site }: { site: SiteDetail }) {
  const t = useTranslations("sites.form");
  const { update, refresh, showSaved } = useUpdateSite(site.id);
  const form = useStoredForm(() => import("./forms").then((forms) => forms.aiForm), {
    stored: toStoredValues(site),
    toFormValues: (stored) => stored,
    submit: (values, expected) => update({ ...values, expected }),
    showsSuccessToast: false,
    onSuccess: (saved) => showSaved(saved, () => form.replaceStoredValues(toStoredValues(saved.data))),
    onStale: refresh,
  });
  return (
    <div className="flex flex-col gap-6">
      <OperationForm form={form} label={t("aiSection")}>
        <Card title={t("aiSection")} description={t("aiText")}>
          <div className="flex flex-col gap-5">
            <AiFields />
          </div>
        </Card>
        <SaveBar />
      </OperationForm>
      <ProviderKeyCard site={site} />
    </div>
  );
}
