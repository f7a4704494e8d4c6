"use client";

import { Download, Printer } from "lucide-react";
import { useTranslations } from "next-intl";
import { useEffect, useRef } from "react";
import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { downloadText, printLines } from "@/components/ui/export-text";
import { FormAlert } from "@/components/ui/form-alert";

const FILE_NAME = "recovery-codes.txt";

export function RecoveryCodes({ codes, onNext }: { codes: readonly string[]; onNext: () => void }) {
  const t = useTranslations("security.codes");
  const listRef = useRef<HTMLUListElement>(null);
  useEffect(() => listRef.current?.focus(), []);
  const heading = t("heading", { host: window.location.host });
  return (
    <div className="flex flex-col gap-5">
      <FormAlert tone="warning">{t("warning")}</FormAlert>
      <ul
        ref={listRef}
        dir="ltr"
        tabIndex={-1}
        aria-label={t("title")}
        className="grid gap-x-6 gap-y-1.5 rounded-card border border-border bg-sunken p-4 text-center font-mono text-compact outline-none sm:grid-cols-2"
      >
        {codes.map((code) => (
          <li key={code} className="select-all whitespace-nowrap">
            {code}
          </li>
        ))}
      </ul>
      <div className="grid gap-2 sm:grid-cols-3">
        <CopyButton block text={codes.join("\n")} />
        <Button block icon={<Download />} onClick={() => downloadText(FILE_NAME, [heading, "", ...codes])}>
          {t("download")}
        </Button>
        <Button block icon={<Printer />} onClick={() => printLines(heading, codes)}>
          {t("print")}
        </Button>
      </div>
      <Button variant="primary" block onClick={onNext}>
        {t("next")}
      </Button>
    </div>
  );
}
