"use client";

import { useTranslations } from "next-intl";
import { useProofPrompt } from "@/components/accounts/users/use-proof-prompt";
import { call } from "@/components/api/client";
import { waitForNavigation } from "@/components/api/session";
import { FormReason } from "@/components/form/form-reason";
import { FormSelect } from "@/components/form/form-select";
import { OperationForm, SubmitButton } from "@/components/form/operation-form";
import { useOperationForm } from "@/components/form/use-operation-form";
import { allowLeaving } from "@/components/ui/unsaved";
import { VIEW_MINUTES } from "@/server/domains/tenancy/view-as/policy";

const parseMinutes = (minutesText: string) =>
  VIEW_MINUTES.find((minutes) => String(minutes) === minutesText) ?? VIEW_MINUTES[0];

/** After the start, loads a new document, so that the viewer's own data does not stay in memory. */
export function StartViewAsForm({ target }: { target: { id: number; name: string } }) {
  const t = useTranslations("viewAs");
  const { prove, proofDialog } = useProofPrompt();
  const form = useOperationForm(() => import("./forms").then((file) => file.startViewForm), {
    defaultValues: { reason: "", minutes: "30" },
    submit: async ({ reason, minutes }) => {
      const body = { user_id: target.id, reason, minutes: parseMinutes(minutes) };
      const response = await prove(t("proof"), () => call.viewAs.start.mutate({ body }));
      if (!response) return;
      allowLeaving();
      window.location.assign("/dashboard");
      await waitForNavigation();
    },
  });
  return (
    <>
      <OperationForm form={form} label={t("open")}>
        <p className="text-compact text-fg-muted">
          {t.rich("text", { name: () => <bdi>{target.name}</bdi> })}
        </p>
        <FormReason label={t("reason")} hint={t("reasonHint")} />
        <FormSelect
          name="minutes"
          label={t("duration")}
          options={VIEW_MINUTES.map((count) => ({ value: String(count), label: t("minutes", { count }) }))}
        />
        <SubmitButton block>{t("start")}</SubmitButton>
      </OperationForm>
      {proofDialog}
    </>
  );
}
