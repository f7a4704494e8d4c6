"use client";

import { useTranslations } from "next-intl";
import { StatusChip } from "@/components/ui/status-chip";
import { Time } from "@/components/ui/time";
import type { MailAccount } from "@/server/domains/tenancy/mail-accounts/contract";

type State = "none" | "untested" | "works" | "paused";

const TONES = { none: "neutral", untested: "warning", works: "success", paused: "danger" } as const;

function stateOf(account: MailAccount | null): State {
  if (!account) return "none";
  if (!account.verified_at) return "untested";
  return account.paused_until ? "paused" : "works";
}

export function StateChip({ account }: { account: MailAccount | null }) {
  const t = useTranslations("mailAccount.state");
  const state = stateOf(account);
  return <StatusChip tone={TONES[state]}>{t(state)}</StatusChip>;
}

export function StateText({ account }: { account: MailAccount | null }) {
  const t = useTranslations("mailAccount.stateText");
  const state = stateOf(account);
  const at = state === "works" ? account?.verified_at : account?.paused_until;
  return t.rich(state, { time: () => (at ? <Time value={at} /> : null) });
}
