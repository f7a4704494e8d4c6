"use client";

import { useTranslations } from "next-intl";
import { RecentUseText } from "@/components/accounts/key-use/recent-use";
import { api, call } from "@/components/api/client";
import { useAction } from "@/components/form/use-action";
import { AlertDialog } from "@/components/ui/alert-dialog";
import { Button } from "@/components/ui/button";
import { Time } from "@/components/ui/time";
import type { ApiKey } from "./types";

export function RevokeKey({ apiKey }: { apiKey: ApiKey }) {
  const { id, name, last_used_at: lastUsedAt } = apiKey;
  const t = useTranslations();
  const utils = api.useUtils();
  const revoke = useAction(() => call.tokens.removeKey.mutate({ params: { id: String(id) } }), {
    onSuccess: () => utils.tokens.listKeys.invalidate(),
  });

  return (
    <AlertDialog
      trigger={
        <Button size="sm" labelSuffix={name}>
          {t("keys.revoke.short")}
        </Button>
      }
      title={t.rich("keys.revoke.title", { name: () => <bdi>{name}</bdi> })}
      description={t("keys.revoke.text")}
      confirmLabel={t("keys.revoke.confirm")}
      onConfirm={revoke.attempt}
    >
      <p className="text-sm">
        {lastUsedAt
          ? t.rich("keys.revoke.used", { time: () => <Time value={lastUsedAt} show="dateTime" /> })
          : t("keys.revoke.unused")}
      </p>
      {lastUsedAt ? <RecentUseText {...apiKey} /> : null}
    </AlertDialog>
  );
}
