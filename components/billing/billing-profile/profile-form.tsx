"use client";

import { useTranslations } from "next-intl";
import { useWatch } from "react-hook-form";
import { api } from "@/components/api/client";
import { FormField } from "@/components/form/form-field";
import { FormSelect } from "@/components/form/form-select";
import { OperationForm, SubmitButton } from "@/components/form/operation-form";
import { useOperationForm } from "@/components/form/use-operation-form";
import { Card } from "@/components/ui/card";
import { toast } from "@/components/ui/toast";
import type { Output } from "@/server/core/contract";
import type { getBillingProfile } from "@/server/domains/billing/billing-profile/contract";

type Profile = NonNullable<Output<typeof getBillingProfile>["profile"]>;

/** Whom invoices are made out to. The tax number is never shown again: an empty field keeps it. */
export function ProfileForm({ profile }: { profile: Profile | null }) {
  const t = useTranslations("billing.profile");
  const save = api.billingProfile.put.useMutation();
  const form = useOperationForm(
    () => import("@/server/domains/billing/billing-profile/contract").then((file) => file.putBillingProfile),
    {
      defaultValues: valuesOf(profile),
      submit: ({ tax_number, ...values }) =>
        save.mutateAsync({ body: { ...values, ...(tax_number ? { tax_number } : {}) } }),
      onSuccess: (saved) => {
        toast.success(saved.message);
        form.reset(valuesOf(saved.profile));
      },
    },
  );
  const company = useWatch({ control: form.control, name: "kind" }) === "company";
  const lastFour = (save.data?.profile ?? profile)?.tax_number_last_four;
  return (
    <Card title={t("title")} description={t("text")}>
      <OperationForm form={form} label={t("title")}>
        <FormSelect
          name="kind"
          label={t("kind")}
          options={[
            { value: "company", label: t("company") },
            { value: "person", label: t("person") },
          ]}
        />
        <FormField
          name="title"
          label={t(company ? "companyTitle" : "personTitle")}
          autoComplete={company ? "organization" : "name"}
          dir="auto"
        />
        <FormField
          name="tax_number"
          label={t(company ? "vkn" : "tckn")}
          hint={lastFour ? t("taxSaved", { digits: lastFour }) : t(company ? "vknHint" : "tcknHint")}
          inputMode="numeric"
          autoComplete="off"
          dir="ltr"
          optional
        />
        {company ? <FormField name="tax_office" label={t("taxOffice")} dir="auto" optional /> : null}
        <FormField name="address" label={t("address")} autoComplete="street-address" dir="auto" optional />
        <div className="grid gap-5 sm:grid-cols-2">
          <FormField
            name="district"
            label={t("district")}
            autoComplete="address-level2"
            dir="auto"
            optional
          />
          <FormField name="city" label={t("city")} autoComplete="address-level1" dir="auto" optional />
        </div>
        <FormField
          name="email"
          label={t("email")}
          hint={t("emailHint")}
          type="email"
          autoComplete="email"
          autoCapitalize="none"
          spellCheck={false}
          dir="ltr"
          optional
        />
        <div>
          <SubmitButton>{t("save")}</SubmitButton>
        </div>
      </OperationForm>
    </Card>
  );
}

function valuesOf(profile: Profile | null) {
  return {
    kind: (profile?.kind ?? "company") as "person" | "company",
    title: profile?.title ?? "",
    tax_number: "",
    tax_office: profile?.tax_office ?? "",
    address: profile?.address ?? "",
    district: profile?.district ?? "",
    city: profile?.city ?? "",
    country: profile?.country ?? "TR",
    email: profile?.email ?? "",
  };
}
