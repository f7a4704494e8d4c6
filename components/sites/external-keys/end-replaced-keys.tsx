"use client";

import { useTranslations } from "next-intl";
import { RecentUseText } from "@/components/accounts/key-use/recent-use";
import type { RecentUse } from "@/components/accounts/key-use/types";
import { api, call } from "@/components/api/client";
import { useAction } from "@/components/form/use-action";
import { AlertDialog } from "@/components/ui/alert-dialog";
import { Button } from "@/components/ui/button";

export function EndReplacedKeys({
  siteId,
  siteName,
  recentUse,
}: {
  siteId: number;
  siteName: string;
  recentUse: RecentUse;
}) {
  const t = useTranslations("keyUse.end");
  const utils = api.useUtils();
  const endAction = useAction(
    () => call.externalKeys.endPrevious.mutate({ params: { id: String(siteId) } }),
    {
      onSuccess: () => utils.externalKeys.invalidate(),
    },
  );
  return (
    <AlertDialog
      trigger={
        <Button size="sm" labelSuffix={siteName}>
          {t("short")}
        </Button>
      }
      title={t.rich("title", { name: () => <bdi>{siteName}</bdi> })}
      description={t("text")}
      confirmLabel={t("confirm")}
      onConfirm={endAction.attempt}
    >
      <RecentUseText {...recentUse} />
    </AlertDialog>
  );
}
