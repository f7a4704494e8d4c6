"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { useProven } from "@/components/accounts/users/use-proven";
import { api, call } from "@/components/api/client";
import { useAction } from "@/components/form/use-action";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { FormAlert } from "@/components/ui/form-alert";
import { RadioGroup } from "@/components/ui/radio-group";
import { SecretOnce } from "@/components/ui/secret-once";

/** Minutes that the old secret also signs. */
const GRACES = { none: 0, hour: 60, day: 1440, week: 10_080 } as const;
type Grace = keyof typeof GRACES;

/** Dialog that creates a new secret and shows it once. */
export function RenewSecret({ id }: { id: number }) {
  const t = useTranslations("webhooks.secret");
  const utils = api.useUtils();
  const [open, setOpen] = useState(false);
  const [grace, setGrace] = useState<Grace>("day");
  const [secret, setSecret] = useState<string>();
  const [stored, setStored] = useState(false);
  const { prove, confirmation } = useProven();
  const renew = useAction(
    () =>
      prove(t("title"), () =>
        call.webhooks.renewSecret.mutate({
          params: { id: String(id) },
          body: { grace_minutes: GRACES[grace] },
        }),
      ),
    { success: false, onSuccess: (result) => setSecret(result.secret) },
  );

  function change(next: boolean) {
    setOpen(next);
    if (next) return;
    if (secret) void utils.webhooks.invalidate();
    setSecret(undefined);
    setStored(false);
    renew.setProblem(undefined);
  }

  return (
    <Dialog
      open={open}
      onOpenChange={change}
      dismissible={!secret || stored}
      trigger={<Button size="sm">{t("open")}</Button>}
      title={t(secret ? "ready" : "title")}
      description={secret ? undefined : t("text")}
      footer={
        secret ? (
          <Button variant="primary" disabled={!stored} onClick={() => change(false)}>
            {t("done")}
          </Button>
        ) : (
          <Button variant="primary" working={renew.working} onClick={() => renew.attempt()}>
            {t("open")}
          </Button>
        )
      }
    >
      {secret ? (
        <SecretOnce secret={secret} label={t("ready")} onStored={setStored} />
      ) : (
        <div className="flex flex-col gap-5">
          {renew.problem ? <FormAlert tone="danger">{renew.problem}</FormAlert> : null}
          <Field group label={t("grace")}>
            <RadioGroup
              value={grace}
              onValueChange={setGrace}
              options={(Object.keys(GRACES) as Grace[]).map((value) => ({ value, label: t(value) }))}
            />
          </Field>
        </div>
      )}
      {confirmation}
    </Dialog>
  );
}
