"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { Ltr } from "@/components/ui/bidi";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { StatusChip } from "@/components/ui/status-chip";
import { Time } from "@/components/ui/time";
import type { Output } from "@/server/core/contract";
import type { listSignIns } from "@/server/domains/access/tokens/contract";
import { NotMe } from "./not-me";
import { useDevice } from "./use-device";

type History = Output<typeof listSignIns>;
type SignInEntry = History["sign_ins"][number];

const INITIAL_ENTRY_COUNT = 5;

const TONE_BY_OUTCOME = { succeeded: "success", failed: "warning", refused: "danger" } as const;

export function HistoryCard({
  history: { sign_ins: entries },
  hasPassword,
}: {
  history: History;
  hasPassword: boolean;
}) {
  const t = useTranslations("security.history");
  const [isExpanded, setIsExpanded] = useState(false);
  return (
    <Card
      title={t("title")}
      description={t("text")}
      footer={
        !isExpanded && entries.length > INITIAL_ENTRY_COUNT ? (
          <Button size="sm" variant="ghost" onClick={() => setIsExpanded(true)}>
            {t("more")}
          </Button>
        ) : undefined
      }
    >
      {entries.length === 0 ? (
        <p className="text-fg-muted text-sm">{t("empty")}</p>
      ) : (
        <ul className="divide-y divide-border">
          {entries.slice(0, isExpanded ? undefined : INITIAL_ENTRY_COUNT).map((entry) => (
            <HistoryRow key={`${entry.at}${entry.outcome}`} entry={entry} hasPassword={hasPassword} />
          ))}
        </ul>
      )}
    </Card>
  );
}

function HistoryRow({
  entry: { at, outcome, way, ip, user_agent },
  hasPassword,
}: {
  entry: SignInEntry;
  hasPassword: boolean;
}) {
  const t = useTranslations("security.history");
  const { name } = useDevice(user_agent);
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 py-3 first:pt-0 last:pb-0">
      <div className="min-w-0 flex-1">
        <p className="font-medium text-sm">{name}</p>
        <p className="mt-0.5 flex flex-wrap gap-x-3 text-fg-muted text-sm">
          {way ? <span>{t(`way.${way}`)}</span> : null}
          {ip ? <Ltr>{ip}</Ltr> : null}
          <Time value={at} />
        </p>
      </div>
      <StatusChip tone={TONE_BY_OUTCOME[outcome]}>{t(outcome)}</StatusChip>
      {outcome === "succeeded" ? <NotMe labelSuffix={name} hasPassword={hasPassword} /> : null}
    </li>
  );
}
