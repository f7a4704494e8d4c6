"use client";

import { useTranslations } from "next-intl";
import type { ConsentKey } from "@/server/domains/accounts/consents/policy";

/** Links to the page of a consent, in a new tab, so that form input is not lost. */
export function ConsentPageLink({ consentKey }: { consentKey: ConsentKey }) {
  const t = useTranslations("consents");
  return (
    <p className="text-compact">
      <a
        href={`/legal/${consentKey}`}
        target="_blank"
        rel="noopener"
        className="inline-flex min-h-6 items-center font-medium text-primary-text underline decoration-primary-text/35 underline-offset-4 hover:decoration-primary-text pointer-coarse:min-h-11"
      >
        {t("whole")}
      </a>
    </p>
  );
}
