"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { api } from "@/components/api/client";
import { useAction } from "@/components/form/use-action";
import { AlertDialog } from "@/components/ui/alert-dialog";
import { Ltr } from "@/components/ui/bidi";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { StatusChip } from "@/components/ui/status-chip";
import { Time } from "@/components/ui/time";
import type { Output } from "@/server/core/contract";
import type { listSessions } from "@/server/domains/access/tokens/contract";
import { useDevice } from "./use-device";

type Sessions = Output<typeof listSessions>;
type Session = Sessions["sessions"][number];

/** A number that people still look through. */
const SHOWN = 8;

/** Where the account is signed in, the current session first; any other can be ended. */
export function SessionsCard({ initial }: { initial: Sessions }) {
  const t = useTranslations();
  const utils = api.useUtils();
  const { data } = api.tokens.listSessions.useQuery(undefined, { initialData: initial });
  const ending = api.tokens.endOtherSessions.useMutation();
  const endOthers = useAction(() => ending.mutateAsync(), {
    onSuccess: () => utils.tokens.listSessions.invalidate(),
  });
  const [all, setAll] = useState(false);
  const sessions = data.sessions.toSorted((a, b) => Number(b.current) - Number(a.current));
  const others = sessions.filter(({ current }) => !current).length;

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
        !all && sessions.length > SHOWN ? (
          <Button size="sm" variant="ghost" onClick={() => setAll(true)}>
            {t("security.sessions.all", { count: sessions.length })}
          </Button>
        ) : undefined
      }
    >
      <ul className="divide-y divide-border">
        {sessions.slice(0, all ? undefined : SHOWN).map((session) => (
          <SessionRow key={session.id} session={session} />
        ))}
      </ul>
    </Card>
  );
}

function SessionRow({ session }: { session: Session }) {
  const t = useTranslations();
  const utils = api.useUtils();
  const { name, Icon } = useDevice(session.user_agent);
  const ending = api.tokens.endSession.useMutation();
  const end = useAction(() => ending.mutateAsync({ params: { id: String(session.id) } }), {
    onSuccess: () => utils.tokens.listSessions.invalidate(),
  });
  return (
    <li className="flex items-center gap-4 py-3.5 first:pt-0 last:pb-0">
      <Icon className="size-5 shrink-0 text-fg-muted max-sm:hidden" />
      <div className="min-w-0 flex-1">
        <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
          <p className="font-medium text-sm">{name}</p>
          {session.current ? <StatusChip tone="success">{t("security.sessions.current")}</StatusChip> : null}
        </div>
        <p className="mt-0.5 flex flex-wrap gap-x-3 text-fg-muted text-sm">
          <span>{t(`security.sessions.${session.kind}`)}</span>
          {session.ip ? <Ltr>{session.ip}</Ltr> : null}
          <Time value={session.last_used_at ?? session.created_at} />
        </p>
      </div>
      {session.current ? null : (
        <Button size="sm" working={end.working} about={name} onClick={end.press}>
          {t("security.sessions.end")}
        </Button>
      )}
    </li>
  );
}
