"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { useProofPrompt } from "@/components/accounts/users/use-proof-prompt";
import { api, call } from "@/components/api/client";
import { useAction } from "@/components/form/use-action";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { FormAlert } from "@/components/ui/form-alert";
import { RadioGroup } from "@/components/ui/radio-group";
import { SecretOnce } from "@/components/ui/secret-once";

/** At most `SECRET_GRACE_MINUTES.max` of the contract. */
const GRACE_MINUTES = { none: 0, hour: 60, day: 1440, week: 10_080 } as const;
type GracePeriod = keyof typeof GRACE_MINUTES;

export function RenewSecret({ webhookId }: { webhookId: number }) {
  const t = useTranslations("webhooks.secret");
  const utils = api.useUtils();
  const [isOpen, setOpen] = useState(false);
  const [gracePeriod, setGracePeriod] = useState<GracePeriod>("day");
  const [secret, setSecret] = useState<string>();
  const [isSecretStored, setSecretStored] = useState(false);
  const { prove, proofDialog } = useProofPrompt();
  const renew = useAction(
    () =>
      prove(t("title"), () =>
        call.webhooks.renewSecret.mutate({
          params: { id: String(webhookId) },
          body: { grace_minutes: GRACE_MINUTES[gracePeriod] },
        }),
      ),
    { successText: false, onSuccess: (result) => setSecret(result.secret) },
  );

  function handleOpenChange(next: boolean) {
    setOpen(next);
    if (next) return;
    if (secret) void utils.webhooks.invalidate();
    setSecret(undefined);
    setSecretStored(false);
    renew.setProblem(undefined);
  }

  return (
    <Dialog
      open={isOpen}
      onOpenChange={handleOpenChange}
      dismissible={!secret || isSecretStored}
      trigger={<Button size="sm">{t("open")}</Button>}
      title={t(secret ? "ready" : "title")}
      description={secret ? undefined : t("text")}
      footer={
        secret ? (
          <Button variant="primary" disabled={!isSecretStored} onClick={() => handleOpenChange(false)}>
            {t("done")}
          </Button>
        ) : (
          <Button variant="primary" working={renew.isPending} onClick={() => renew.attempt()}>
            {t("open")}
          </Button>
        )
      }
    >
      {secret ? (
        <SecretOnce secret={secret} label={t("ready")} onStoredChange={setSecretStored} />
      ) : (
        <div className="flex flex-col gap-5">
          {renew.problem ? <FormAlert tone="danger">{renew.problem}</FormAlert> : null}
          <Field group label={t("grace")}>
            <RadioGroup
              value={gracePeriod}
              onValueChange={setGracePeriod}
              options={(Object.keys(GRACE_MINUTES) as GracePeriod[]).map((value) => ({
                value,
                label: t(value),
              }))}
            />
          </Field>
        </div>
      )}
      {proofDialog}
    </Dialog>
  );
}
