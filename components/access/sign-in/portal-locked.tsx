"use client";

import { DoorOpen } from "lucide-react";
import type { Route } from "next";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { LinkButton } from "@/components/ui/link-button";
import { Outcome } from "./outcome";

export interface PortalLockedProps {
  /** From the response, never from the URL. */
  url: string;
  title?: string;
  children?: ReactNode;
}

export function PortalLocked({ url, title, children }: PortalLockedProps) {
  const t = useTranslations("auth.portal");
  const { host: name } = new URL(url);
  return (
    <Outcome
      icon={<DoorOpen />}
      tone="info"
      title={title ?? t("title")}
      text={t("text", { name })}
      focusOnMount
    >
      <LinkButton block variant="primary" href={`${url}/sign-in` as Route}>
        {t("open", { name })}
      </LinkButton>
      {children}
    </Outcome>
  );
}
