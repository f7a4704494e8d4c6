"use client";

import type { Route } from "next";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { type ReactNode, useCallback, useEffect, useState } from "react";
import { useOffline } from "@/components/api/connection";
import { AlertDialog } from "@/components/ui/alert-dialog";
import { LeaveGuardContext } from "@/components/ui/app-link";
import { Banner } from "@/components/ui/banner";
import { announce } from "@/components/ui/live-regions";
import { UnsavedContext, useAskBeforeUnload, useUnsavedTracker } from "@/components/ui/unsaved";

interface Frame {
  /** Offline banner; null while connected. */
  offline: ReactNode;
  /** Calls `go`, after a confirmation when there are unsaved changes. */
  leave: (go: () => void) => void;
}

/** Asks before losing unsaved changes. Blocks links offline: they would end at a browser error page. */
export function LeaveGuard({ children }: { children: (frame: Frame) => ReactNode }) {
  const t = useTranslations();
  const router = useRouter();
  const offline = useOffline();
  const [isBlocked, setIsBlocked] = useState(false);
  const [unsaved, hold] = useUnsavedTracker();
  const [pendingLeave, setPendingLeave] = useState<{ go: () => void }>();
  useAskBeforeUnload(unsaved);

  useEffect(() => {
    if (offline) announce(t("shell.offline.text"));
    else setIsBlocked(false);
  }, [offline, t]);

  const mayLeave = useCallback(
    (href: string) => {
      if (offline) {
        setIsBlocked(true);
        announce(t("shell.offline.held"));
        return false;
      }
      const { pathname } = window.location;
      if (!unsaved || new URL(href, window.location.href).pathname === pathname) return true;
      setPendingLeave({ go: () => router.push(href as Route) });
      return false;
    },
    [offline, unsaved, router, t],
  );

  return (
    <LeaveGuardContext value={mayLeave}>
      <UnsavedContext value={hold}>
        {children({
          offline: offline ? (
            <Banner tone="warning">{t(isBlocked ? "shell.offline.held" : "shell.offline.text")}</Banner>
          ) : null,
          leave: (go) => (unsaved ? setPendingLeave({ go }) : go()),
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
