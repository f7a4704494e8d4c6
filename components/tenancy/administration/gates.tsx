"use client";

import { useTranslations } from "next-intl";
import { useProofPrompt } from "@/components/accounts/users/use-proof-prompt";
import { api, call } from "@/components/api/client";
import { useErrorText } from "@/components/api/form-error";
import { getAccountPath } from "@/components/billing/records/admin-paths";
import { ErrorState } from "@/components/ui/error-state";
import { LinkButton } from "@/components/ui/link-button";
import { SkeletonRows } from "@/components/ui/skeleton";
import { StatusChip } from "@/components/ui/status-chip";
import { Time } from "@/components/ui/time";
import { ReasonAction } from "./reason-action";
import type { Gate } from "./types";

/** Gates of an account's sign-in. `inCard` hides actions that other cards of the page have. */
export function AccountGates({ id, inCard }: { id: number; inCard?: boolean }) {
  const getErrorText = useErrorText();
  const gates = api.signIn.explain.useQuery({ params: { id: String(id) } });
  if (gates.error) return <ErrorState onRetry={gates.refetch}>{getErrorText(gates.error)}</ErrorState>;
  if (!gates.data) return <SkeletonRows rowCount={7} />;
  return <GateList id={id} gates={gates.data.gates} inCard={inCard} />;
}

export function GateList({ id, gates, inCard }: { id: number; gates: readonly Gate[]; inCard?: boolean }) {
  const t = useTranslations("admin");
  return (
    <ol className="divide-y divide-border">
      {gates.map(({ gate, open, reason, until, lift }) => (
        <li key={gate} className="flex flex-col gap-2 py-2.5 text-sm first:pt-0 last:pb-0">
          <span className="flex flex-wrap items-center justify-between gap-2">
            <span>{t(`gates.${gate}`)}</span>
            <StatusChip tone={open ? "success" : "warning"}>
              {t(open ? "gates.open" : "gates.closed")}
            </StatusChip>
          </span>
          {reason ? <span className="text-compact text-fg-muted">{reason}</span> : null}
          {until ? (
            <span className="text-compact text-fg-muted">
              {t.rich("gates.until", { time: () => <Time value={until} /> })}
            </span>
          ) : null}
          {gate === "portal" && !open ? (
            <span className="text-compact text-fg-muted">{t("lift.portalText")}</span>
          ) : null}
          {lift === "reset_two_factor" && !inCard ? (
            <div>
              <LinkButton href={getAccountPath(id)}>{t("factorReset.show")}</LinkButton>
            </div>
          ) : null}
          {lift && lift !== "reset_two_factor" && !(inCard && lift === "activate") ? (
            <LiftButton id={id} lift={lift} />
          ) : null}
        </li>
      ))}
    </ol>
  );
}

function LiftButton({ id, lift }: { id: number; lift: Exclude<Gate["lift"], "reset_two_factor" | null> }) {
  const t = useTranslations("admin");
  const utils = api.useUtils();
  const { prove, proofDialog } = useProofPrompt();
  const params = { id: String(id) };
  const actions = {
    verification: {
      label: t("access.send"),
      text: t("lift.verificationText"),
      run: (reason: string) => call.administration.sendVerification.mutate({ params, body: { reason } }),
    },
    password_mail: {
      label: t("lift.password_mail"),
      text: t("lift.password_mailText"),
      run: (reason: string) => call.administration.sendPasswordMail.mutate({ params, body: { reason } }),
    },
    unlock: {
      label: t("lift.unlock"),
      text: t("lift.unlockText"),
      run: (reason: string) =>
        prove(t("lift.unlock"), () => call.administration.unlock.mutate({ params, body: { reason } })),
    },
    activate: {
      label: t("access.activate"),
      text: t("access.activateText"),
      run: (reason: string) =>
        prove(t("access.activate"), () =>
          call.administration.setStatus.mutate({ params, body: { is_active: true, reason } }),
        ),
    },
  } as const;
  const refresh = () => {
    void utils.signIn.invalidate();
    void utils.administration.invalidate();
  };
  return (
    <>
      <ReasonAction {...actions[lift]} onDone={refresh} />
      {proofDialog}
    </>
  );
}
