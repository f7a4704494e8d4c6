"use client";

import { useTranslations } from "next-intl";
import { MailBanner } from "@/components/access/verification/mail-banner";
import { api } from "@/components/api/client";
import { endSession } from "@/components/api/session";
import { toFormError } from "@/components/form/form-error";
import { toast } from "@/components/ui/toast";
import type { Locale } from "@/server/domains/settings/locales/contract";
import { ShellFrame, type ShellFrameProps } from "./shell-frame";

export interface PanelFrameProps extends Omit<ShellFrameProps, "onSignOut" | "onLocaleChange" | "banners"> {
  mailUnverified: boolean;
}

/** The shell with its actions: language saved with the account, sign-out, account banners. */
export function PanelFrame({ mailUnverified, ...props }: PanelFrameProps) {
  const t = useTranslations();
  const choose = api.locales.setLocale.useMutation();

  async function changeLocale(locale: Locale) {
    try {
      await choose.mutateAsync({ body: { locale } });
    } catch (error) {
      toast.danger(toFormError(error).message || t("ui.error.network"));
    }
  }

  return (
    <ShellFrame
      {...props}
      banners={{ mailUnverified: mailUnverified ? <MailBanner email={props.user.email} /> : null }}
      onLocaleChange={changeLocale}
      onSignOut={endSession}
    />
  );
}
