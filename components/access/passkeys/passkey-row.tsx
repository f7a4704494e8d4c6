"use client";

import { KeyRound } from "lucide-react";
import { useTranslations } from "next-intl";
import { useProofPrompt } from "@/components/accounts/users/use-proof-prompt";
import { api, call } from "@/components/api/client";
import { useAction } from "@/components/form/use-action";
import { AlertDialog } from "@/components/ui/alert-dialog";
import { Button } from "@/components/ui/button";
import { StatusChip } from "@/components/ui/status-chip";
import { Time } from "@/components/ui/time";
import { RenamePasskey } from "./rename-passkey";
import type { Passkey } from "./types";

export function PasskeyRow({ passkey }: { passkey: Passkey }) {
  const t = useTranslations("passkeys");
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-3 py-4 first:pt-0 last:pb-0 sm:flex-nowrap">
      <span className="grid size-10 shrink-0 place-items-center rounded-card border border-border bg-sunken text-fg-muted [&_.lucide]:size-5">
        <KeyRound />
      </span>
      <div className="min-w-0 flex-1">
        <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
          <h3 className="wrap-anywhere font-medium text-sm">
            <bdi>{passkey.device_name}</bdi>
          </h3>
          {passkey.backed_up ? <StatusChip tone="info">{t("synced")}</StatusChip> : null}
        </div>
        <p className="mt-0.5 flex flex-wrap gap-x-3 text-fg-muted text-sm">
          {passkey.authenticator && passkey.authenticator !== passkey.device_name ? (
            <bdi>{passkey.authenticator}</bdi>
          ) : null}
          <span>
            {passkey.last_used_at
              ? t.rich("used", { time: () => <Time value={passkey.last_used_at ?? ""} /> })
              : t.rich("created", { time: () => <Time value={passkey.created_at} /> })}
          </span>
        </p>
      </div>
      <div className="flex gap-2 max-sm:w-full max-sm:ps-14">
        <RenamePasskey passkey={passkey} />
        <DeletePasskey passkey={passkey} />
      </div>
    </li>
  );
}

function DeletePasskey({ passkey }: { passkey: Passkey }) {
  const t = useTranslations();
  const utils = api.useUtils();
  const { prove, proofDialog } = useProofPrompt();
  const name = passkey.device_name;

  const remove = useAction(
    () =>
      prove(t("passkeys.delete", { name }), () =>
        call.passkeys.remove.mutate({ params: { id: passkey.id } }),
      ),
    {
      onSuccess: () => Promise.all([utils.passkeys.list.invalidate(), utils.twoFactor.getDuty.invalidate()]),
    },
  );

  return (
    <AlertDialog
      trigger={
        <Button size="sm" labelSuffix={name}>
          {t("common.delete")}
        </Button>
      }
      title={t("passkeys.deleteTitle", { name })}
      description={t("passkeys.deleteText")}
      confirmLabel={t("common.delete")}
      onConfirm={remove.attempt}
    >
      {proofDialog}
    </AlertDialog>
  );
}
