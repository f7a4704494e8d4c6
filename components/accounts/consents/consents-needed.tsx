"use client";

import { useTranslations } from "next-intl";
import { api } from "@/components/api/client";
import { ownPath } from "@/components/api/own-path";
import { endSession, pageLeft } from "@/components/api/session";
import { fieldsOf } from "@/components/form/fields";
import { OperationForm, SubmitButton } from "@/components/form/operation-form";
import { useOperationForm } from "@/components/form/use-operation-form";
import { Button } from "@/components/ui/button";
import {
  type ConsentKey,
  changeConsents,
  type MandatoryConsent,
} from "@/server/domains/accounts/consents/contract";
import { ConsentFields } from "./consent-fields";
import { withMandatory } from "./mandatory";

export interface ConsentsNeededProps {
  mandatory: readonly MandatoryConsent[];
  /** Optional consents that the person was never asked for; earlier decisions stay. */
  optional: readonly ConsentKey[];
  next?: string;
}

/** The consents that a sign-up through an identity provider could not ask for, or whose text has changed. */
export function ConsentsNeeded({ mandatory, optional, next }: ConsentsNeededProps) {
  const t = useTranslations("auth.consents_needed");
  const give = api.consents.change.useMutation();
  const asked = [...mandatory, ...optional];
  const form = useOperationForm(
    { id: changeConsents.id, body: withMandatory(fieldsOf(changeConsents), mandatory) },
    {
      defaultValues: { consents: Object.fromEntries(asked.map((key) => [key, false])) },
      submit: async (body) => {
        await give.mutateAsync({ body });
        // Loads a new document, so that the panel checks again whether anything is missing.
        window.location.assign(ownPath(next));
        await pageLeft();
      },
    },
  );
  return (
    <OperationForm form={form}>
      <ConsentFields mandatory={mandatory} optional={optional} />
      <SubmitButton block>{t("submit")}</SubmitButton>
      <Button block variant="ghost" onClick={() => endSession()}>
        {t("sign_out")}
      </Button>
    </OperationForm>
  );
}
