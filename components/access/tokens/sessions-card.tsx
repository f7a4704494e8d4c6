"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { api, call } from "@/components/api/client";
import { useAction } from "@/components/form/use-action";
import { AlertDialog } from "@/components/ui/alert-dialog";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { SessionGroup } from "./session-group";
import { groupSessions } from "./session-groups";
import type { Sessions } from "./types";
import { useDescribeDevice } from "./use-device";

const INITIAL_GROUP_COUNT = 8;

export function SessionsCard({ initial }: { initial: Sessions }) {
  const t = useTranslations();
  const utils = api.useUtils();
  const { data } = api.tokens.listSessions.useQuery(undefined, { initialData: initial });
  const endOthers = useAction(() => call.tokens.endOtherSessions.mutate(), {
    onSuccess: () => utils.tokens.listSessions.invalidate(),
  });
  const [isExpanded, setIsExpanded] = useState(false);
  const describeDevice = useDescribeDevice();
  const groups = groupSessions(data.sessions, ({ user_agent }) => describeDevice(user_agent).name);
  const otherCount = data.sessions.filter(({ current }) => !current).length;
  const currentIp = data.sessions.find(({ current }) => current)?.ip ?? null;

  return (
    <Card
      title={t("security.sessions.title")}
      description={t("security.sessions.text")}
      actions={
        otherCount > 0 ? (
          <AlertDialog
            trigger={<Button size="sm">{t("security.sessions.endOthersShort")}</Button>}
            title={t("security.sessions.endOthersTitle", { count: otherCount })}
            description={t("security.sessions.endOthersText")}
            confirmLabel={t("security.sessions.endOthers")}
            onConfirm={endOthers.attempt}
          />
        ) : undefined
      }
      footer={
        !isExpanded && groups.length > INITIAL_GROUP_COUNT ? (
          <Button size="sm" variant="ghost" onClick={() => setIsExpanded(true)}>
            {t("security.sessions.all", { count: data.sessions.length })}
          </Button>
        ) : undefined
      }
    >
      <ul className="divide-y divide-border">
        {groups.slice(0, isExpanded ? undefined : INITIAL_GROUP_COUNT).map((sessions) => (
          <SessionGroup key={sessions[0].id} sessions={sessions} currentIp={currentIp} />
        ))}
      </ul>
    </Card>
  );
}
