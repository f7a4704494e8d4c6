"use client";

import { useTranslations } from "next-intl";
import { useFormContext } from "react-hook-form";
import { FormCheckbox } from "@/components/form/form-checkbox";
import {
  type ConsentKey,
  MANDATORY_CONSENTS,
  OPTIONAL_CONSENTS,
} from "@/server/domains/accounts/consents/policy";
import { ConsentText } from "./consent-text";

export function ConsentFields({
  mandatory = MANDATORY_CONSENTS,
  optional = OPTIONAL_CONSENTS,
}: {
  mandatory?: readonly ConsentKey[];
  optional?: readonly ConsentKey[];
}) {
  const t = useTranslations();
  return (
    <div className="flex flex-col gap-6">
      <ConsentGroup title={t("auth.signUp.mandatory")} text={t("consents.intro")} keys={mandatory} />
      {optional.length > 0 ? <ConsentGroup title={t("auth.signUp.optional")} keys={optional} /> : null}
    </div>
  );
}

function ConsentGroup({ title, text, keys }: { title: string; text?: string; keys: readonly ConsentKey[] }) {
  const { setValue } = useFormContext();
  return (
    <fieldset className="min-w-0">
      <legend className="font-medium text-sm">{title}</legend>
      {text ? <p className="mt-0.5 text-compact text-fg-muted">{text}</p> : null}
      <div className="mt-3 flex flex-col gap-3">
        {keys.map((key) => (
          <div key={key}>
            <FormCheckbox name={`consents.${key}`} label={<Summary consentKey={key} />} />
            <div className="ms-8">
              <ConsentText
                consentKey={key}
                onAgree={() => setValue(`consents.${key}`, true, { shouldDirty: true, shouldValidate: true })}
              />
            </div>
          </div>
        ))}
      </div>
    </fieldset>
  );
}

function Summary({ consentKey }: { consentKey: ConsentKey }) {
  const t = useTranslations("consents");
  return <span>{t(`${consentKey}.summary`)}</span>;
}
