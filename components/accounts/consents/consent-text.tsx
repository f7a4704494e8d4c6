"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import type { ConsentKey } from "@/server/domains/accounts/consents/policy";
import { ConsentPageLink } from "./consent-page-link";
import { LegalBody } from "./legal-body";

export function ConsentText({ consentKey, onAgree }: { consentKey: ConsentKey; onAgree?: () => void }) {
  const t = useTranslations();
  const [isOpen, setOpen] = useState(false);
  const title = t(`consents.${consentKey}.title`);
  return (
    <Dialog
      open={isOpen}
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
          {onAgree ? (
            <Button
              variant="primary"
              onClick={() => {
                onAgree();
                setOpen(false);
              }}
            >
              {t("auth.signUp.consent")}
            </Button>
          ) : null}
        </>
      }
    >
      <div
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a long text scrolls, by keys too
        tabIndex={0}
        className="flex flex-col gap-4 rounded-control"
      >
        <LegalBody text={t(`consents.${consentKey}.text`)} />
        <ConsentPageLink consentKey={consentKey} />
      </div>
    </Dialog>
  );
}
