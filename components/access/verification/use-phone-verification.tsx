"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { type ReactNode, useState } from "react";
import { ConfirmCode } from "@/components/access/two-factor/confirm-code";
import { PhoneNumber } from "@/components/access/verification/phone-number";
import { call } from "@/components/api/client";
import { useAction } from "@/components/form/use-action";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { StatusChip } from "@/components/ui/status-chip";
import { ResendButton } from "./resend-button";

export interface PhoneVerification {
  statusRow: ReactNode;
  /** Contains a form: render it outside the form that shows `statusRow`. */
  dialog: ReactNode;
}

export interface PhoneVerificationOptions {
  phone: string | null;
  isVerified: boolean;
  isSmsOffered: boolean;
  receivesTexts: boolean;
}

export function usePhoneVerification({
  phone,
  isVerified,
  isSmsOffered,
  receivesTexts,
}: PhoneVerificationOptions): PhoneVerification {
  const t = useTranslations();
  const router = useRouter();
  const [open, setOpen] = useState(false);

  const sendCode = useAction(() => call.verification.sendPhoneCode.mutate(), {
    successText: false,
    onSuccess: () => setOpen(true),
    onError: ({ status }) => status === 429 && setOpen(true),
  });

  const statusRow = (
    <div className="-mt-2 flex flex-wrap items-center gap-3">
      <StatusChip tone={isVerified ? "success" : "warning"}>
        {t(`settings.phone.${isVerified ? "verified" : receivesTexts ? "unverified" : "unreachable"}`)}
      </StatusChip>
      {isVerified || !receivesTexts ? null : (
        <Button size="sm" working={sendCode.isPending} onClick={sendCode.run}>
          {t("settings.phone.send")}
        </Button>
      )}
    </div>
  );
  return {
    statusRow: phone && (isVerified || isSmsOffered) ? statusRow : null,
    dialog: (
      <Dialog
        open={open}
        onOpenChange={setOpen}
        title={t("settings.phone.title")}
        description={t.rich("settings.phone.text", { phone: () => <PhoneNumber value={phone ?? ""} /> })}
      >
        <div className="flex flex-col gap-3">
          <ConfirmCode
            title={t("settings.phone.title")}
            submitLabel={t("settings.phone.confirm")}
            confirm={(body) => call.verification.confirmPhone.mutate({ body })}
            onConfirmed={() => {
              setOpen(false);
              router.refresh();
            }}
          />
          <ResendButton
            justSent
            label={t("settings.phone.again")}
            send={() => call.verification.sendPhoneCode.mutate()}
          />
        </div>
      </Dialog>
    ),
  };
}
