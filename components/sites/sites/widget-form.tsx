"use client";

import { useTranslations } from "next-intl";
import { OperationForm } from "@/components/form/operation-form";
import { SaveBar } from "@/components/form/save-bar";
import { useStoredForm } from "@/components/form/use-stored-form";
import { Card } from "@/components/ui/card";
import { WidgetFormPreview } from "./form-preview";
import { WidgetFields } from "./site-fields";
import type { SiteDetail } from "./types";
import { useUpdateSite } from "./use-update-site";

const toStoredValues = (site: SiteDetail) => ({
  bot_name: site.bot_name,
  welcome_message: site.welcome_message,
  widget_color: site.widget_color,
  widget_position: site.widget_position as "bottom-right" | "bottom-left",
});

export function WidgetForm({ site }: { site: SiteDetail }) {
  const t = useTranslations("sites");
  const { update, refresh, showSaved } = useUpdateSite(site.id);
  const form = useStoredForm(() => import("./forms").then((file) => file.widgetForm), {
    stored: toStoredValues(site),
    toFormValues: (stored) => stored,
    submit: (values, expected) => update({ ...values, expected }),
    showsSuccessToast: false,
    onSuccess: (saved) => showSaved(saved, () => form.replaceStoredValues(toStoredValues(saved.data))),
    onStale: refresh,
  });
  return (
    <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_24rem]">
      <OperationForm form={form} label={t("form.widgetSection")}>
        <Card title={t("form.widgetSection")} description={t("form.widgetText")}>
          <div className="flex flex-col gap-5">
            <WidgetFields />
          </div>
        </Card>
        <SaveBar />
      </OperationForm>
      <div className="lg:sticky lg:top-24">
        <WidgetFormPreview form={form} site={site} />
      </div>
    </div>
  );
}
