"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useWatch } from "react-hook-form";
import { api } from "@/components/api/client";
import { OperationForm, SubmitButton } from "@/components/form/operation-form";
import { useStoredForm } from "@/components/form/use-stored-form";
import { Card } from "@/components/ui/card";
import { type Profile, ProfileFields, toProfileValues } from "./profile-fields";

export interface ProfileFormProps {
  profile: Profile | null;
  missingFields: readonly string[];
}

export function ProfileForm({ profile, missingFields }: ProfileFormProps) {
  const t = useTranslations("billing.profile");
  const router = useRouter();
  const save = api.billingProfile.put.useMutation();
  const form = useStoredForm(
    () => import("@/server/domains/billing/billing-profile/contract").then((file) => file.putBillingProfile),
    {
      stored: profile,
      toFormValues: toProfileValues,
      submit: ({ tax_number, ...values }, expected) =>
        save.mutateAsync({ body: { ...values, ...(tax_number ? { tax_number } : {}), expected } }),
      onSuccess: (response) => {
        form.replaceStoredValues(response.profile);
        // Invoices that waited for these details are queued now.
        router.refresh();
      },
    },
  );
  const isCompany = useWatch({ control: form.control, name: "kind" }) === "company";
  return (
    <Card title={t("title")} description={t("text")}>
      <OperationForm form={form} label={t("title")}>
        <ProfileFields
          isCompany={isCompany}
          taxNumberLastFour={form.getStoredValues()?.tax_number_last_four}
          missingFields={missingFields}
        />
        <SubmitButton>{t("save")}</SubmitButton>
      </OperationForm>
    </Card>
  );
}
