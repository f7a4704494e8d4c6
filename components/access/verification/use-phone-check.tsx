"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { type ReactNode, useState } from "react";
import { ConfirmCode } from "@/components/access/two-factor/confirm-code";
import { call } from "@/components/api/client";
import { useAction } from "@/components/form/use-action";
import { Ltr } from "@/components/ui/bidi";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { StatusChip } from "@/components/ui/status-chip";
import { ResendButton } from "./resend-button";

export interface PhoneCheck {
  state: ReactNode;
  /** Has a form of its own: render it outside the form that shows `state`. */
  dialog: ReactNode;
}

export interface PhoneCheckOptions {
  phone: string | null;
  verified: boolean;
  offered: boolean;
  receives: boolean;
}

export function usePhoneCheck({ phone, verified, offered, receives }: PhoneCheckOptions): PhoneCheck {
  const t = useTranslations();
  const router = useRouter();
  const [open, setOpen] = useState(false);

  const sendCode = useAction(() => call.verification.sendPhoneCode.mutate(), {
    success: false,
    onSuccess: () => setOpen(true),
    // Too soon: the previous code is still valid.
    onError: ({ status }) => status === 429 && setOpen(true),
  });

  const state = (
    <div className="-mt-2 flex flex-wrap items-center gap-3">
      <StatusChip tone={verified ? "success" : "warning"}>
        {t(`settings.phone.${verified ? "verified" : receives ? "unverified" : "unreachable"}`)}
      </StatusChip>
      {verified || !receives ? null : (
        <Button size="sm" working={sendCode.working} onClick={sendCode.press}>
          {t("settings.phone.send")}
        </Button>
      )}
    </div>
  );
  return {
    state: phone && (verified || offered) ? state : null,
    dialog: (
      <Dialog
        open={open}
        onOpenChange={setOpen}
        title={t("settings.phone.title")}
        description={t.rich("settings.phone.text", { phone: () => <Ltr>{phone}</Ltr> })}
      >
        <div className="flex flex-col gap-3">
          <ConfirmCode
            title={t("settings.phone.title")}
            submit={t("settings.phone.confirm")}
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
