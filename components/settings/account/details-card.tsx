"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import type * as z from "zod";
import { PhoneField } from "@/components/access/verification/phone-field";
import { ResendVerificationButton } from "@/components/access/verification/resend-verification-button";
import {
  type PhoneVerificationOptions,
  usePhoneVerification,
} from "@/components/access/verification/use-phone-verification";
import { useFormProof } from "@/components/accounts/users/use-proof-prompt";
import { call } from "@/components/api/client";
import { FormEmail } from "@/components/form/form-email";
import { FormField } from "@/components/form/form-field";
import { OperationForm, SubmitButton } from "@/components/form/operation-form";
import { useStoredForm } from "@/components/form/use-stored-form";
import { Ltr } from "@/components/ui/bidi";
import { Card } from "@/components/ui/card";
import { FormAlert } from "@/components/ui/form-alert";
import { Select } from "@/components/ui/select";
import { StatusChip } from "@/components/ui/status-chip";
import { getZoneOptions, useBrowserZone } from "@/components/ui/use-browser-zone";
import { EMAIL_CHANGE_UNDO_HOURS } from "@/server/domains/access/verification/policy";
import type { User } from "@/server/domains/accounts/profile/contract";

import type { detailsForm } from "./forms";

type StoredDetails = Pick<z.output<typeof User>, "name" | "email" | "phone" | "timezone">;

const pickStoredDetails = ({ name, email, phone, timezone }: StoredDetails): StoredDetails => ({
  name,
  email,
  phone,
  timezone,
});

/** Removes the separators that the phone field adds. */
const normalizePhone = (phone: unknown) => String(phone ?? "").replace(/[\s().-]/g, "");

function getChangedValues(values: z.input<(typeof detailsForm)["body"]>, stored: StoredDetails) {
  const changedEntries = Object.entries(values).filter(([field, value]) =>
    field === "phone"
      ? normalizePhone(value) !== normalizePhone(stored.phone)
      : value !== stored[field as keyof StoredDetails],
  );
  return Object.fromEntries(changedEntries) as Partial<typeof values>;
}

export interface DetailsCardProps {
  user: z.output<typeof User>;
  phone: PhoneVerificationOptions;
}

export function DetailsCard({ user, phone }: DetailsCardProps) {
  const t = useTranslations("settings.details");
  const signUpTexts = useTranslations("auth.signUp");
  const router = useRouter();
  const phoneCheck = usePhoneVerification(phone);
  const form = useStoredForm(() => import("./forms").then((file) => file.detailsForm), {
    proofPrompt: useFormProof(t("title")),
    stored: pickStoredDetails(user),
    toFormValues: ({ phone, ...stored }) => ({ ...stored, phone: phone ?? "" }),
    // Send only the fields changed here, so that changes made elsewhere to other fields are kept.
    submit: (values, expected) =>
      call.account.updateProfile.mutate({ body: { ...getChangedValues(values, expected), expected } }),
    onSuccess: (response, { timezone = null }) => {
      form.replaceStoredValues(pickStoredDetails({ ...response.user, timezone }));
      router.refresh();
    },
    onStale: router.refresh,
  });
  const typedEmail = form.watch("email");
  const isNewEmail = typedEmail.trim().toLowerCase() !== user.email.toLowerCase();
  return (
    <Card title={t("title")} description={t("text")}>
      <OperationForm form={form} label={t("title")}>
        <FormField name="name" label={t("name")} autoComplete="name" dir="auto" />
        <FormEmail name="email" label={t("email")} autoComplete="email" />
        {isNewEmail ? (
          <FormAlert tone="info" title={t("moveTitle")}>
            {t("move", { hours: EMAIL_CHANGE_UNDO_HOURS })}
          </FormAlert>
        ) : (
          <EmailStatus email={user.email} isVerified={user.email_verified_at !== null} />
        )}
        <PhoneField label={signUpTexts("phone")} receivesTexts />
        {form.watch("phone") === user.phone ? phoneCheck.statusRow : null}
        <ZoneField accountZone={user.timezone} />
        <SubmitButton>{t("save")}</SubmitButton>
      </OperationForm>
      {phoneCheck.dialog}
    </Card>
  );
}

function EmailStatus({ email: address, isVerified }: { email: string; isVerified: boolean }) {
  const t = useTranslations("settings.profile");
  return (
    <div className="-mt-2 flex flex-wrap items-center gap-3">
      <StatusChip tone={isVerified ? "success" : "warning"}>
        {t(isVerified ? "verified" : "unverified")}
      </StatusChip>
      {isVerified ? null : <ResendVerificationButton email={address} />}
    </div>
  );
}

function ZoneField({ accountZone }: { accountZone: string | null }) {
  const t = useTranslations("settings.details");
  const browserZone = useBrowserZone();
  return (
    <FormField name="timezone" label={t("timezone")} hint={t("timezoneHint")} optional>
      {(control) => (
        <Select
          ref={control.ref}
          name={control.name}
          options={
            browserZone
              ? getZoneOptions(accountZone)
              : accountZone
                ? [{ value: accountZone, label: <Ltr>{accountZone}</Ltr> }]
                : []
          }
          value={control.value ?? null}
          placeholder={t("timezoneNone")}
          onValueChange={control.onChange}
          onBlur={control.onBlur}
        />
      )}
    </FormField>
  );
}
