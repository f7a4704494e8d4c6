"use client";

import { useTranslations } from "next-intl";
import { FormEmail } from "@/components/form/form-email";
import { FormField } from "@/components/form/form-field";
import { FormSelect } from "@/components/form/form-select";
import type { Output } from "@/server/core/contract";
import type { getBillingProfile } from "@/server/domains/billing/billing-profile/contract";

export type Profile = NonNullable<Output<typeof getBillingProfile>["profile"]>;

export interface ProfileFieldsProps {
  isCompany: boolean;
  taxNumberLastFour: string | null | undefined;
  /** Names of the fields that an invoice waits for. */
  missingFields: readonly string[];
}

/** Fields of the billing details. The tax number is never shown again: an empty field keeps it. */
export function ProfileFields({ isCompany, taxNumberLastFour, missingFields }: ProfileFieldsProps) {
  const t = useTranslations("billing.profile");
  const isOptional = (name: string) => !missingFields.includes(name);
  return (
    <>
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
        label={t(isCompany ? "companyTitle" : "personTitle")}
        autoComplete={isCompany ? "organization" : "name"}
        dir="auto"
      />
      <FormField
        name="tax_number"
        label={t(isCompany ? "vkn" : "tckn")}
        hint={
          taxNumberLastFour
            ? t("taxSaved", { digits: taxNumberLastFour })
            : t(isCompany ? "vknHint" : "tcknHint")
        }
        inputMode="numeric"
        autoComplete="off"
        dir="ltr"
        optional={isOptional("tax_number")}
      />
      {isCompany ? (
        <FormField name="tax_office" label={t("taxOffice")} dir="auto" optional={isOptional("tax_office")} />
      ) : null}
      <FormField
        name="address"
        label={t("address")}
        autoComplete="street-address"
        dir="auto"
        optional={isOptional("address")}
      />
      <div className="grid gap-5 sm:grid-cols-2">
        <FormField
          name="district"
          label={t("district")}
          autoComplete="address-level2"
          dir="auto"
          optional={isOptional("district")}
        />
        <FormField
          name="city"
          label={t("city")}
          autoComplete="address-level1"
          dir="auto"
          optional={isOptional("city")}
        />
      </div>
      <FormEmail name="email" label={t("email")} hint={t("emailHint")} autoComplete="email" optional />
    </>
  );
}

export function toProfileValues(
  profile: (Omit<Profile, "kind" | "title" | "updated_at"> & { kind: string; title: string | null }) | null,
) {
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
