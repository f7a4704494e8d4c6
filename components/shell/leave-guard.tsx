"use client";

import type { Route } from "next";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { type ReactNode, useCallback, useEffect, useState } from "react";
import { useOffline } from "@/components/api/connection";
import { AlertDialog } from "@/components/ui/alert-dialog";
import { MayLeaveContext } from "@/components/ui/app-link";
import { Banner } from "@/components/ui/banner";
import { announce } from "@/components/ui/live-regions";
import { UnsavedContext, useAskBeforeUnload, useHolds } from "@/components/ui/unsaved";

interface Frame {
  /** The band that says that there is no connection; null while there is one. */
  offline: ReactNode;
  /** Goes at once, or when the person agrees to lose what was typed. */
  leave: (go: () => void) => void;
}

/**
 * Keeps what was typed on a page: asks before a link leaves it unsaved, and holds links back while there is no
 * connection, because following one would end at the browser's own page.
 */
export function LeaveGuard({ children }: { children: (frame: Frame) => ReactNode }) {
  const t = useTranslations();
  const router = useRouter();
  const offline = useOffline();
  const [heldBack, setHeldBack] = useState(false);
  const [unsaved, hold] = useHolds();
  const [asked, setAsked] = useState<{ go: () => void }>();
  useAskBeforeUnload(unsaved);

  useEffect(() => {
    if (offline) announce(t("shell.offline.text"));
    else setHeldBack(false);
  }, [offline, t]);

  const mayLeave = useCallback(
    (href: string) => {
      if (offline) {
        setHeldBack(true);
        announce(t("shell.offline.held"));
        return false;
      }
      const { pathname } = window.location;
      if (!unsaved || new URL(href, window.location.href).pathname === pathname) return true;
      setAsked({ go: () => router.push(href as Route) });
      return false;
    },
    [offline, unsaved, router, t],
  );

  return (
    <MayLeaveContext value={mayLeave}>
      <UnsavedContext value={hold}>
        {children({
          offline: offline ? (
            <Banner tone="warning">{t(heldBack ? "shell.offline.held" : "shell.offline.text")}</Banner>
          ) : null,
          leave: (go) => (unsaved ? setAsked({ go }) : go()),
        })}
      </UnsavedContext>
      <AlertDialog
        open={asked !== undefined}
        onOpenChange={(open) => !open && setAsked(undefined)}
        title={t("ui.form.leave.title")}
        description={t("ui.form.leave.page")}
        confirmLabel={t("ui.form.leave.confirmPage")}
        cancelLabel={t("ui.form.leave.cancel")}
        onConfirm={() => asked?.go()}
      />
    </MayLeaveContext>
  );
}
