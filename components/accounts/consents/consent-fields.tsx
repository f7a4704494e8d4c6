"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { useFormContext } from "react-hook-form";
import { FormCheckbox } from "@/components/form/form-checkbox";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import {
  type ConsentKey,
  MANDATORY_CONSENTS,
  OPTIONAL_CONSENTS,
} from "@/server/domains/accounts/consents/policy";
import { LegalBody } from "./legal-body";
import { ToPrint } from "./to-print";

/**
 * Checkboxes of the consents: all four mandatory ones by default, and three optional ones; none is ticked in advance.
 */
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
      <Group title={t("auth.signUp.mandatory")} text={t("consents.intro")} keys={mandatory} />
      {optional.length > 0 ? <Group title={t("auth.signUp.optional")} keys={optional} /> : null}
    </div>
  );
}

function Group({ title, text, keys }: { title: string; text?: string; keys: readonly ConsentKey[] }) {
  return (
    <fieldset className="min-w-0">
      <legend className="font-medium text-sm">{title}</legend>
      {text ? <p className="mt-0.5 text-compact text-fg-muted">{text}</p> : null}
      <div className="mt-3 flex flex-col gap-3">
        {keys.map((key) => (
          <div key={key}>
            <FormCheckbox name={`consents.${key}`} label={<Summary of={key} />} />
            <div className="ms-8">
              <ConsentText of={key} />
            </div>
          </div>
        ))}
      </div>
    </fieldset>
  );
}

function Summary({ of: key }: { of: ConsentKey }) {
  const t = useTranslations("consents");
  return <span>{t(`${key}.summary`)}</span>;
}

/** The whole text, with a button that ticks the box. */
function ConsentText({ of: key }: { of: ConsentKey }) {
  const t = useTranslations();
  const { setValue } = useFormContext();
  const [open, setOpen] = useState(false);
  const title = t(`consents.${key}.title`);

  function agree() {
    setValue(`consents.${key}`, true, { shouldDirty: true, shouldValidate: true });
    setOpen(false);
  }

  return (
    <Dialog
      open={open}
      onOpenChange={setOpen}
      title={title}
      trigger={
        <button
          type="button"
          className="inline-flex min-h-6 items-center rounded-control font-medium text-compact text-primary-text underline decoration-primary-text/35 underline-offset-4 hover:decoration-primary-text pointer-coarse:min-h-11"
        >
          {t("consents.read")}
          <span className="sr-only">{`: ${title}`}</span>
        </button>
      }
      footer={
        <>
          <Button onClick={() => setOpen(false)}>{t("common.close")}</Button>
          <Button variant="primary" onClick={agree}>
            {t("auth.signUp.consent")}
          </Button>
        </>
      }
    >
      <div
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a long text scrolls, by keys too
        tabIndex={0}
        className="flex flex-col gap-4 rounded-control"
      >
        <LegalBody text={t(`consents.${key}.text`)} />
        <ToPrint of={key} />
      </div>
    </Dialog>
  );
}
