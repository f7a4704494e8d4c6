"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import type * as z from "zod";
import { PhoneField } from "@/components/access/verification/phone-field";
import { ResendMail } from "@/components/access/verification/resend-mail";
import { type PhoneCheckOptions, usePhoneCheck } from "@/components/access/verification/use-phone-check";
import { useProof } from "@/components/accounts/users/use-proven";
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
import { useBrowserZone, zoneOptions } from "@/components/ui/use-browser-zone";
import { UNDO_HOURS } from "@/server/domains/access/verification/policy";
import type { User } from "@/server/domains/accounts/profile/contract";

import type { detailsForm } from "./forms";

type Stored = Pick<z.output<typeof User>, "name" | "email" | "phone" | "timezone">;

const storedOf = ({ name, email, phone, timezone }: Stored): Stored => ({ name, email, phone, timezone });

/** The field formats the number. */
const digits = (phone: unknown) => String(phone ?? "").replace(/[\s().-]/g, "");

function changedValues(values: z.input<(typeof detailsForm)["body"]>, stored: Stored) {
  const changed = Object.entries(values).filter(([field, value]) =>
    field === "phone" ? digits(value) !== digits(stored.phone) : value !== stored[field as keyof Stored],
  );
  return Object.fromEntries(changed) as Partial<typeof values>;
}

export interface DetailsCardProps {
  user: z.output<typeof User>;
  phone: PhoneCheckOptions;
}

export function DetailsCard({ user, phone }: DetailsCardProps) {
  const t = useTranslations("settings.details");
  const auth = useTranslations("auth.signUp");
  const router = useRouter();
  const check = usePhoneCheck(phone);
  const form = useStoredForm(() => import("./forms").then((file) => file.detailsForm), {
    proof: useProof(t("title")),
    stored: storedOf(user),
    valuesOf: ({ phone, ...stored }) => ({ ...stored, phone: phone ?? "" }),
    // Send only changes, so that concurrent changes are kept.
    submit: (values, expected) =>
      call.account.updateProfile.mutate({ body: { ...changedValues(values, expected), expected } }),
    onSuccess: (saved, { timezone = null }) => {
      form.begin(storedOf({ ...saved.user, timezone }));
      router.refresh();
    },
    onStale: router.refresh,
  });
  const typed = form.watch("email");
  const isNewEmail = typed.trim().toLowerCase() !== user.email.toLowerCase();
  return (
    <Card title={t("title")} description={t("text")}>
      <OperationForm form={form} label={t("title")}>
        <FormField name="name" label={t("name")} autoComplete="name" dir="auto" />
        <FormEmail name="email" label={t("email")} autoComplete="email" />
        {isNewEmail ? (
          <FormAlert tone="info" title={t("moveTitle")}>
            {t("move", { hours: UNDO_HOURS })}
          </FormAlert>
        ) : (
          <MailState email={user.email} verified={user.email_verified_at !== null} />
        )}
        <PhoneField label={auth("phone")} receivesTexts />
        {form.watch("phone") === user.phone ? check.state : null}
        <ZoneField own={user.timezone} />
        <SubmitButton>{t("save")}</SubmitButton>
      </OperationForm>
      {check.dialog}
    </Card>
  );
}

function MailState({ email: address, verified }: { email: string; verified: boolean }) {
  const t = useTranslations("settings.profile");
  return (
    <div className="-mt-2 flex flex-wrap items-center gap-3">
      <StatusChip tone={verified ? "success" : "warning"}>
        {t(verified ? "verified" : "unverified")}
      </StatusChip>
      {verified ? null : <ResendMail email={address} />}
    </div>
  );
}

function ZoneField({ own }: { own: string | null }) {
  const t = useTranslations("settings.details");
  // The browser's list is available after the first render.
  const browserZone = useBrowserZone();
  return (
    <FormField name="timezone" label={t("timezone")} hint={t("timezoneHint")} optional>
      {(control) => (
        <Select
          ref={control.ref}
          name={control.name}
          options={browserZone ? zoneOptions(own) : own ? [{ value: own, label: <Ltr>{own}</Ltr> }] : []}
          value={control.value ?? null}
          placeholder={t("timezoneNone")}
          onValueChange={control.onChange}
          onBlur={control.onBlur}
        />
      )}
    </FormField>
  );
}
