"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { Checkbox } from "./checkbox";
import { CopyButton } from "./copy-button";
import { FormAlert } from "./form-alert";

export interface SecretOnceProps {
  secret: string;
  label: string;
  /** Runs when the user ticks or unticks "stored". Disable the next step while it is unticked. */
  onStoredChange?: (isStored: boolean) => void;
}

export function SecretOnce({ secret, label, onStoredChange }: SecretOnceProps) {
  const t = useTranslations("ui.secret");
  const [isStored, setIsStored] = useState(false);
  return (
    <div className="flex flex-col gap-4">
      <FormAlert tone="warning" title={t("title")}>
        {t("text")}
      </FormAlert>
      <div>
        <p className="mb-1.5 font-medium text-sm">{label}</p>
        <div className="flex flex-col gap-2 rounded-card border border-border bg-sunken p-2 sm:flex-row sm:items-center">
          <code dir="ltr" className="min-w-0 flex-1 select-all break-all px-2 py-1.5 font-mono text-compact">
            {secret}
          </code>
          <CopyButton text={secret} variant="primary" size="sm" />
        </div>
      </div>
      <Checkbox
        label={t("stored")}
        checked={isStored}
        onChange={(event) => {
          setIsStored(event.target.checked);
          onStoredChange?.(event.target.checked);
        }}
      />
    </div>
  );
}
