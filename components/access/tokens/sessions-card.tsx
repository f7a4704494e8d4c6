"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { api, call } from "@/components/api/client";
import { useAction } from "@/components/form/use-action";
import { AlertDialog } from "@/components/ui/alert-dialog";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { SessionGroup } from "./session-group";
import { groupsOf } from "./session-groups";
import type { Sessions } from "./types";
import { useDevices } from "./use-device";

const SHOWN = 8;

export function SessionsCard({ initial }: { initial: Sessions }) {
  const t = useTranslations();
  const utils = api.useUtils();
  const { data } = api.tokens.listSessions.useQuery(undefined, { initialData: initial });
  const endOthers = useAction(() => call.tokens.endOtherSessions.mutate(), {
    onSuccess: () => utils.tokens.listSessions.invalidate(),
  });
  const [all, setAll] = useState(false);
  const device = useDevices();
  const groups = groupsOf(data.sessions, ({ user_agent }) => device(user_agent).name);
  const others = data.sessions.filter(({ current }) => !current).length;
  const address = data.sessions.find(({ current }) => current)?.ip ?? null;

  return (
    <Card
      title={t("security.sessions.title")}
      description={t("security.sessions.text")}
      actions={
        others > 0 ? (
          <AlertDialog
            trigger={<Button size="sm">{t("security.sessions.endOthersShort")}</Button>}
            title={t("security.sessions.endOthersTitle", { count: others })}
            description={t("security.sessions.endOthersText")}
            confirmLabel={t("security.sessions.endOthers")}
            onConfirm={endOthers.attempt}
          />
        ) : undefined
      }
      footer={
        !all && groups.length > SHOWN ? (
          <Button size="sm" variant="ghost" onClick={() => setAll(true)}>
            {t("security.sessions.all", { count: data.sessions.length })}
          </Button>
        ) : undefined
      }
    >
      <ul className="divide-y divide-border">
        {groups.slice(0, all ? undefined : SHOWN).map((sessions) => (
          <SessionGroup key={sessions[0].id} sessions={sessions} address={address} />
        ))}
      </ul>
    </Card>
  );
}
