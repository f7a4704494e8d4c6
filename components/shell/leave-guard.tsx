"use client";

import type { Route } from "next";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { type ReactNode, useCallback, useEffect, useState } from "react";
import { AlertDialog } from "@/components/ui/alert-dialog";
import { LeaveGuardContext } from "@/components/ui/app-link";
import { Banner } from "@/components/ui/banner";
import { useIsOffline } from "@/components/ui/connectivity";
import { announce } from "@/components/ui/live-regions";
import { UnsavedContext, useAskBeforeUnload, useUnsavedTracker } from "@/components/ui/unsaved";

interface LeaveGuardFrame {
  /** Offline banner; null while connected. */
  offlineBanner: ReactNode;
  /** Calls `go`. With unsaved changes, asks for a confirmation first. */
  leave: (go: () => void) => void;
}

/** Asks before unsaved changes are lost. Blocks links offline: they would open the browser's error page. */
export function LeaveGuard({ children }: { children: (frame: LeaveGuardFrame) => ReactNode }) {
  const t = useTranslations();
  const router = useRouter();
  const isOffline = useIsOffline();
  const [wasLinkBlocked, setWasLinkBlocked] = useState(false);
  const [hasUnsaved, registerUnsaved] = useUnsavedTracker();
  const [pendingLeave, setPendingLeave] = useState<{ go: () => void }>();
  useAskBeforeUnload(hasUnsaved);

  useEffect(() => {
    if (isOffline) announce(t("shell.offline.text"));
    else setWasLinkBlocked(false);
  }, [isOffline, t]);

  const requestLeave = useCallback(
    (href: string) => {
      if (isOffline) {
        setWasLinkBlocked(true);
        announce(t("shell.offline.held"));
        return false;
      }
      const { pathname } = window.location;
      if (!hasUnsaved || new URL(href, window.location.href).pathname === pathname) return true;
      setPendingLeave({ go: () => router.push(href as Route) });
      return false;
    },
    [isOffline, hasUnsaved, router, t],
  );

  return (
    <LeaveGuardContext value={requestLeave}>
      <UnsavedContext value={registerUnsaved}>
        {children({
          offlineBanner: isOffline ? (
            <Banner tone="warning">{t(wasLinkBlocked ? "shell.offline.held" : "shell.offline.text")}</Banner>
          ) : null,
          leave: (go) => (hasUnsaved ? setPendingLeave({ go }) : go()),
        })}
      </UnsavedContext>
      <AlertDialog
        open={pendingLeave !== undefined}
        onOpenChange={(open) => !open && setPendingLeave(undefined)}
        title={t("ui.form.leave.title")}
        description={t("ui.form.leave.page")}
        confirmLabel={t("ui.form.leave.confirmPage")}
        cancelLabel={t("ui.form.leave.cancel")}
        onConfirm={() => pendingLeave?.go()}
      />
    </LeaveGuardContext>
  );
}
