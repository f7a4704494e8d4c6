"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { api, call } from "@/components/api/client";
import { useAction } from "@/components/form/use-action";
import { Ltr } from "@/components/ui/bidi";
import { Button } from "@/components/ui/button";
import { StatusChip } from "@/components/ui/status-chip";
import { Time } from "@/components/ui/time";
import { type DeviceSessions, getLastUsedAt } from "./session-groups";
import type { Session } from "./types";
import { useDevice } from "./use-device";

export interface SessionGroupProps {
  sessions: DeviceSessions;
  currentIp: string | null;
}

const rowStyle = "flex items-center gap-4 py-3.5 first:pt-0 last:pb-0";

export function SessionGroup({ sessions, currentIp }: SessionGroupProps) {
  const t = useTranslations("security.sessions");
  const [latestSession] = sessions;
  const { name, Icon } = useDevice(latestSession.user_agent);
  const [open, setOpen] = useState(false);
  if (sessions.length === 1) {
    return (
      <li className={rowStyle}>
        <Icon className="size-5 shrink-0 text-fg-muted max-sm:hidden" />
        <SessionRow session={latestSession} currentIp={currentIp} />
      </li>
    );
  }
  return (
    <li className="py-3.5 first:pt-0 last:pb-0">
      <div className="flex items-center gap-4">
        <Icon className="size-5 shrink-0 text-fg-muted max-sm:hidden" />
        <div className="min-w-0 flex-1">
          <p className="font-medium text-sm">{name}</p>
          <p className="mt-0.5 flex flex-wrap gap-x-3 text-fg-muted text-sm">
            <span>{t("grouped", { count: sessions.length })}</span>
            <span>{t(latestSession.kind)}</span>
            <Time value={getLastUsedAt(latestSession)} />
          </p>
        </div>
        <Button size="sm" labelSuffix={name} aria-expanded={open} onClick={() => setOpen(!open)}>
          {t(open ? "hide" : "show")}
        </Button>
      </div>
      {open ? (
        <ul className="mt-3 divide-y divide-border border-border border-t sm:ms-9">
          {sessions.map((session) => (
            <li key={session.id} className="flex items-center gap-4 py-3 last:pb-0">
              <SessionRow session={session} currentIp={currentIp} />
            </li>
          ))}
        </ul>
      ) : null}
    </li>
  );
}

function SessionRow({ session, currentIp }: { session: Session; currentIp: string | null }) {
  const t = useTranslations("security.sessions");
  const utils = api.useUtils();
  const { name } = useDevice(session.user_agent);
  const endSession = useAction(() => call.tokens.endSession.mutate({ params: { id: String(session.id) } }), {
    onSuccess: () => utils.tokens.listSessions.invalidate(),
  });
  const isSameNetwork = !session.current && session.ip !== null && session.ip === currentIp;
  return (
    <>
      <div className="min-w-0 flex-1">
        <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
          <p className="font-medium text-sm">{name}</p>
          {session.current ? <StatusChip tone="success">{t("current")}</StatusChip> : null}
        </div>
        <p className="mt-0.5 flex flex-wrap gap-x-3 text-fg-muted text-sm">
          <span>{t(session.kind)}</span>
          {session.ip ? <Ltr>{session.ip}</Ltr> : null}
          {isSameNetwork ? <span>{t("near")}</span> : null}
          <Time value={getLastUsedAt(session)} />
        </p>
      </div>
      {session.current ? null : (
        <Button size="sm" working={endSession.isPending} labelSuffix={name} onClick={endSession.run}>
          {t("end")}
        </Button>
      )}
    </>
  );
}
