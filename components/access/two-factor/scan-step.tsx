"use client";

import { useTranslations } from "next-intl";
import { useProofPrompt } from "@/components/accounts/users/use-proof-prompt";
import { call } from "@/components/api/client";
import { CopyButton } from "@/components/ui/copy-button";
import { ConfirmCode } from "./confirm-code";
import type { TotpStart } from "./types";

export interface ScanStepProps {
  totpStart: TotpStart;
  /** Called with new recovery codes; with null when the account still has unused ones. */
  onConfirmed: (codes: readonly string[] | null) => void;
}

export function ScanStep({ totpStart, onConfirmed }: ScanStepProps) {
  const t = useTranslations();
  const { prove, proofDialog } = useProofPrompt();
  return (
    <div className="flex flex-col gap-5">
      <div className="flex flex-col items-center gap-5 sm:flex-row sm:items-start">
        {/* biome-ignore lint/performance/noImgElement: a data URL from the server */}
        <img
          src={`data:image/svg+xml,${encodeURIComponent(totpStart.qr_svg)}`}
          alt={t("security.totp.qr")}
          width={168}
          height={168}
          className="size-42 shrink-0 rounded-card border border-border bg-white p-1 forced-color-adjust-none"
        />
        <div className="flex w-full min-w-0 flex-1 flex-col gap-3">
          <a
            href={totpStart.otpauth_url}
            className="w-fit rounded-control font-medium text-primary-text text-sm underline decoration-primary-text/35 underline-offset-4 hover:decoration-primary-text sm:hidden"
          >
            {t("security.totp.openApp")}
          </a>
          <p className="text-fg-muted text-sm">{t("security.totp.manual")}</p>
          <div className="flex flex-col gap-2 rounded-card border border-border bg-sunken p-2">
            <code dir="ltr" className="min-w-0 select-all break-all px-2 py-1 font-mono text-compact">
              {totpStart.secret}
            </code>
            <CopyButton text={totpStart.secret} size="sm" label={t("security.totp.copySecret")} />
          </div>
        </div>
      </div>
      <ConfirmCode
        title={t("security.totp.setUpTitle")}
        submitLabel={t("security.totp.confirm")}
        confirm={(body) =>
          prove(t("security.totp.setUpTitle"), () => call.twoFactor.confirmTotp.mutate({ body }))
        }
        onConfirmed={({ recovery_codes }) => onConfirmed(recovery_codes)}
      />
      {proofDialog}
    </div>
  );
}
