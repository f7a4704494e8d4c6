"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { NewPasswordField } from "@/components/access/sign-in/new-password-field";
import { useOpenPanel } from "@/components/access/sign-in/use-open-panel";
import { PhoneField } from "@/components/access/verification/phone-field";
import { ConsentFields } from "@/components/accounts/consents/consent-fields";
import type { FormError } from "@/components/api/form-error";
import { publicCall } from "@/components/api/public-call";
import { dropDraft } from "@/components/form/draft";
import { FormEmail } from "@/components/form/form-email";
import { FormField } from "@/components/form/form-field";
import { OperationForm, SubmitButton } from "@/components/form/operation-form";
import { useFocusOnMount } from "@/components/form/use-focus-on-mount";
import { useOperationForm } from "@/components/form/use-operation-form";
import { FormAlert } from "@/components/ui/form-alert";
import { announce } from "@/components/ui/live-regions";
import { getBrowserZone } from "@/components/ui/use-browser-zone";
import { CONSENTS, type ConsentKey } from "@/server/domains/accounts/consents/policy";
import { Honeypot } from "./honeypot";
import { OptionalFields } from "./optional-fields";

const DRAFT_KEY = "sign-up";
const NO_CONSENTS = Object.fromEntries(CONSENTS.map((key) => [key, false])) as Record<ConsentKey, boolean>;

export function SignUp({ referralCode = "" }: { referralCode?: string }) {
  const t = useTranslations();
  const openPanel = useOpenPanel();
  const [refusalText, setRefusalText] = useState<string>();
  const form = useOperationForm(() => import("./forms").then((file) => file.signUpForm), {
    draftName: DRAFT_KEY,
    defaultValues: {
      name: "",
      phone: "",
      email: "",
      password: "",
      consents: NO_CONSENTS,
      timezone: "",
      referral_code: referralCode,
      company_fax: "",
    },
    submit: async (values) => {
      setRefusalText(undefined);
      const { password, timezone } = values;
      const body = { ...values, password_confirmation: password, timezone: timezone ?? getBrowserZone() };
      const { token } = await publicCall.registration.register.mutate({ body });
      dropDraft(DRAFT_KEY);
      await openPanel(token);
    },
    onError: (error) => {
      const missingConsents = readMissingConsents(error);
      if (missingConsents) showMissingConsents(missingConsents, error.message);
      // The message of the spam guard belongs to no field.
      else if (isSpamRefusal(error)) setRefusalText(error.message);
      else return false;
      return true;
    },
  });

  useFocusOnMount(form, "name");

  function showMissingConsents(keys: readonly ConsentKey[], announcement: string) {
    for (const [index, key] of keys.entries()) {
      const message = t("validation.accepted", { attribute: t(`validation.attributes.${key}`) });
      form.setError(`consents.${key}`, { type: "server", message }, { shouldFocus: index === 0 });
    }
    announce(announcement);
  }

  return (
    <OperationForm form={form}>
      <FormField name="name" label={t("auth.signUp.name")} autoComplete="name" autoCapitalize="words" />
      <PhoneField label={t("auth.signUp.phone")} receivesTexts />
      <FormEmail name="email" label={t("auth.email")} autoComplete="email" />
      <NewPasswordField label={t("auth.signUp.password")} />
      <Honeypot />
      <OptionalFields />
      <ConsentFields />
      {refusalText ? (
        <FormAlert live tone="neutral" title={t("auth.signUp.refusedTitle")}>
          {refusalText}
        </FormAlert>
      ) : null}
      <SubmitButton block>{t("auth.signUp.submit")}</SubmitButton>
    </OperationForm>
  );
}

function readMissingConsents({ body }: FormError): ConsentKey[] | undefined {
  const keys = (body as { missing_consents?: unknown } | undefined)?.missing_consents;
  return Array.isArray(keys) ? CONSENTS.filter((key) => keys.includes(key)) : undefined;
}

function isSpamRefusal({ status, body }: FormError): boolean {
  return status === 422 && (body as { success?: unknown } | undefined)?.success === false;
}
