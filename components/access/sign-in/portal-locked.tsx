"use client";

import { DoorOpen } from "lucide-react";
import type { Route } from "next";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { LinkButton } from "@/components/ui/link-button";
import { OutcomeScreen } from "./outcome-screen";

export interface PortalLockedProps {
  /** From the response, never from the URL. */
  url: string;
  title?: string;
  children?: ReactNode;
}

export function PortalLocked({ url, title, children }: PortalLockedProps) {
  const t = useTranslations("auth.portal");
  const { host: portalHost } = new URL(url);
  return (
    <OutcomeScreen
      icon={<DoorOpen />}
      tone="info"
      title={title ?? t("title")}
      text={t("text", { name: portalHost })}
      focusOnMount
    >
      <LinkButton block variant="primary" href={`${url}/sign-in` as Route}>
        {t("open", { name: portalHost })}
      </LinkButton>
      {children}
    </OutcomeScreen>
  );
}
