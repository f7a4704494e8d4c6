"use client";

import { useTranslations } from "next-intl";
import { type ReactNode, useCallback, useEffect, useState } from "react";
import { useOffline } from "@/components/api/connection";
import { MayLeaveContext } from "@/components/ui/app-link";
import { Banner } from "@/components/ui/banner";
import { announce } from "@/components/ui/live-regions";

/**
 * Holds links back while there is no connection: following one would end at the browser's own page, and what was typed
 * would be lost. `children` get the band that says so.
 */
export function LeaveGuard({ children }: { children: (offline: ReactNode) => ReactNode }) {
  const t = useTranslations("shell.offline");
  const offline = useOffline();
  const [held, setHeld] = useState(false);

  useEffect(() => {
    if (offline) announce(t("text"));
    else setHeld(false);
  }, [offline, t]);

  const mayLeave = useCallback(() => {
    if (!offline) return true;
    setHeld(true);
    announce(t("held"));
    return false;
  }, [offline, t]);

  return (
    <MayLeaveContext value={mayLeave}>
      {children(offline ? <Banner tone="warning">{t(held ? "held" : "text")}</Banner> : null)}
    </MayLeaveContext>
  );
}
