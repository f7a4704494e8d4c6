"use client";

import { useTranslations } from "next-intl";
import { getRequestedPath } from "@/components/api/local-path";
import { publicCall } from "@/components/api/public-call";
import { endSession, waitForNavigation } from "@/components/api/session";
import { OperationForm, SubmitButton } from "@/components/form/operation-form";
import { useOperationForm } from "@/components/form/use-operation-form";
import { Button } from "@/components/ui/button";
import type { ConsentKey, MandatoryConsent } from "@/server/domains/accounts/consents/policy";
import { ConsentFields } from "./consent-fields";

export interface ConsentsNeededProps {
  mandatory: readonly MandatoryConsent[];
  /** Optional consents that were never asked for. */
  optional: readonly ConsentKey[];
  next?: string;
}

/** Asks for consents that are missing (sign-up with an identity provider) or outdated. */
export function ConsentsNeeded({ mandatory, optional, next }: ConsentsNeededProps) {
  const t = useTranslations("auth.consentsNeeded");
  const requestedKeys = [...mandatory, ...optional];
  const form = useOperationForm(() => import("./forms").then((file) => file.buildConsentsForm(mandatory)), {
    defaultValues: { consents: Object.fromEntries(requestedKeys.map((key) => [key, false])) },
    submit: async (body) => {
      await publicCall.consents.change.mutate({ body });
      // A full load makes the panel check the consents again.
      window.location.assign(getRequestedPath(next));
      await waitForNavigation();
    },
  });
  return (
    <OperationForm form={form}>
      <ConsentFields mandatory={mandatory} optional={optional} />
      <SubmitButton block>{t("submit")}</SubmitButton>
      <Button block variant="ghost" onClick={() => endSession()}>
        {t("signOut")}
      </Button>
    </OperationForm>
  );
}
