"use client";

import { useTranslations } from "next-intl";
import { useWatch } from "react-hook-form";
import { api, call } from "@/components/api/client";
import { FormCheckbox } from "@/components/form/form-checkbox";
import { FormField } from "@/components/form/form-field";
import { OperationForm, SubmitButton } from "@/components/form/operation-form";
import { useOperationForm } from "@/components/form/use-operation-form";
import { Card } from "@/components/ui/card";
import { CodeAvailability } from "./code-availability";
import type { Referral } from "./types";

const toFormValues = (referral: Referral) => ({
  joined: referral.joined_at !== null,
  code: referral.code ?? "",
  display_name: referral.display_name ?? "",
  city: referral.city ?? "",
  public: referral.public,
});

export function ReferralForm({ referral }: { referral: Referral }) {
  const t = useTranslations("referral");
  const utils = api.useUtils();
  const form = useOperationForm(
    () => import("@/server/domains/tenancy/referral/contract").then((file) => file.putReferral),
    {
      defaultValues: toFormValues(referral),
      // Leaving the programme ends the listing.
      submit: (body) =>
        call.referral.update.mutate({ body: { ...body, public: Boolean(body.joined && body.public) } }),
      onSuccess: async (response) => {
        form.reset(toFormValues(response.referral));
        await utils.referral.get.invalidate();
      },
    },
  );
  const { rate_percent: rate } = referral;
  const isMember = useWatch({ control: form.control, name: "joined" });
  return (
    <Card title={t("settings")}>
      <OperationForm form={form} label={t("settings")}>
        <FormCheckbox name="joined" label={t("joined")} hint={rate > 0 ? t("rate", { rate }) : t("noRate")} />
        <FormField
          name="code"
          label={t("code")}
          hint={t("codeHint")}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          dir="ltr"
        />
        <CodeAvailability ownCode={referral.code} />
        <FormField name="display_name" label={t("name")} dir="auto" autoComplete="off" />
        <FormField name="city" label={t("city")} dir="auto" autoComplete="off" />
        {isMember ? <FormCheckbox name="public" label={t("public")} hint={t("publicHint")} /> : null}
        <SubmitButton>{t("save")}</SubmitButton>
      </OperationForm>
    </Card>
  );
}
