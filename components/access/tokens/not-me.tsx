"use client";

import type { Route } from "next";
import { useTranslations } from "next-intl";
import { type ReactNode, useState } from "react";
import { api, call } from "@/components/api/client";
import { useAction } from "@/components/form/use-action";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { TextLink } from "@/components/ui/text-link";

export function NotMe({ labelSuffix, hasPassword }: { labelSuffix: string; hasPassword: boolean }) {
  const t = useTranslations("security.notMe");
  const utils = api.useUtils();
  const [open, setOpen] = useState(false);
  const endOtherSessions = useAction(() => call.tokens.endOtherSessions.mutate(), {
    onSuccess: () => utils.tokens.listSessions.invalidate(),
  });
  const reportIntrusion = useAction(() => call.signIn.report.mutate());
  const close = () => setOpen(false);
  function jumpTo(anchor: string) {
    close();
    window.location.hash = anchor;
  }
  return (
    <Dialog
      open={open}
      onOpenChange={setOpen}
      trigger={
        <Button size="sm" variant="ghost" labelSuffix={labelSuffix}>
          {t("open")}
        </Button>
      }
      title={t("title")}
      description={t("text")}
      footer={<Button onClick={close}>{t("close")}</Button>}
    >
      <ol className="flex list-decimal flex-col gap-4 ps-5 text-sm">
        <li>
          <p>{t("end")}</p>
          <div className="mt-2">
            <Button
              size="sm"
              variant="primary"
              working={endOtherSessions.isPending}
              onClick={endOtherSessions.run}
            >
              {t("endAction")}
            </Button>
          </div>
        </li>
        <li>
          <p>{t("added")}</p>
          <div className="mt-2">
            <Button size="sm" working={reportIntrusion.isPending} onClick={reportIntrusion.run}>
              {t("addedAction")}
            </Button>
          </div>
        </li>
        <li>
          {hasPassword ? (
            <JumpButton onPress={() => jumpTo("password")}>{t("password")}</JumpButton>
          ) : (
            t("provider")
          )}
        </li>
        <li>
          <JumpButton onPress={() => jumpTo("second-factor")}>{t("factor")}</JumpButton>
        </li>
        <li>{t.rich("keys", { link: (words) => <TextLink href="/developers/keys">{words}</TextLink> })}</li>
        <li>
          {t.rich("activity", {
            link: (words) => <TextLink href={"/settings/security/activity" as Route}>{words}</TextLink>,
          })}
        </li>
      </ol>
    </Dialog>
  );
}

/** Jumps to a part of the page behind the dialog. The password card opens its form on this anchor. */
function JumpButton({ onPress, children }: { onPress: () => void; children: ReactNode }) {
  return (
    <button
      type="button"
      onClick={onPress}
      className="rounded-control text-start align-top font-medium text-primary-text underline decoration-primary-text/35 underline-offset-4 hover:decoration-primary-text"
    >
      {children}
    </button>
  );
}
