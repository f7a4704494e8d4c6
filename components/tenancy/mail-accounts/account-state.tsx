"use client";

import { useTranslations } from "next-intl";
import { StatusChip } from "@/components/ui/status-chip";
import { Time } from "@/components/ui/time";
import type { MailAccount } from "@/server/domains/tenancy/mail-accounts/contract";

type AccountState = "none" | "untested" | "works" | "paused";

const STATE_TONES = { none: "neutral", untested: "warning", works: "success", paused: "danger" } as const;

function getState(account: MailAccount | null): AccountState {
  if (!account) return "none";
  if (!account.verified_at) return "untested";
  return account.paused_until ? "paused" : "works";
}

export function MailAccountStateChip({ account }: { account: MailAccount | null }) {
  const t = useTranslations("mailAccount.state");
  const state = getState(account);
  return <StatusChip tone={STATE_TONES[state]}>{t(state)}</StatusChip>;
}

export function MailAccountStateText({ account }: { account: MailAccount | null }) {
  const t = useTranslations("mailAccount.stateText");
  const state = getState(account);
  const isWorking = state === "works";
  const date = isWorking ? account?.verified_at : account?.paused_until;
  return t.rich(state, {
    time: () => (date ? <Time value={date} show={isWorking ? "auto" : "dateTime"} /> : null),
  });
}
