"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { useProven } from "@/components/accounts/users/use-proven";
import { api, call } from "@/components/api/client";
import { useAction } from "@/components/form/use-action";
import { Button } from "@/components/ui/button";
import { CodeBlock } from "@/components/ui/code-block";
import { Dialog } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { FormAlert } from "@/components/ui/form-alert";
import { RadioGroup } from "@/components/ui/radio-group";
import { SecretOnce } from "@/components/ui/secret-once";

const TERMINAL = "curl";

/** Grace periods in minutes. */
const GRACES = { none: 0, hour: 60, day: 1440, week: 10_080 } as const;
type Grace = keyof typeof GRACES;

export function RenewExternalKey({
  siteId,
  replaces,
  origin,
}: {
  siteId: number;
  replaces: boolean;
  origin: string;
}) {
  const t = useTranslations("sites.externalKey");
  const utils = api.useUtils();
  const [open, setOpen] = useState(false);
  const [grace, setGrace] = useState<Grace>("day");
  const [stored, setStored] = useState(false);
  const [key, setKey] = useState<string>();
  const { prove, confirmation } = useProven();
  const title = t(replaces ? "renewTitle" : "makeTitle");
  const renew = useAction(
    () =>
      prove(title, () =>
        call.externalKeys.regenerate.mutate({
          params: { id: String(siteId) },
          body: { grace_minutes: replaces ? GRACES[grace] : 0 },
        }),
      ),
    { success: false, onSuccess: (response) => setKey(response.external_api_key) },
  );

  function change(next: boolean) {
    setOpen(next);
    if (next) return;
    if (key) void utils.externalKeys.get.invalidate();
    setKey(undefined);
    renew.setProblem(undefined);
    setStored(false);
  }

  return (
    <Dialog
      open={open}
      onOpenChange={change}
      dismissible={!key || stored}
      trigger={<Button size="sm">{t(replaces ? "renew" : "make")}</Button>}
      title={key ? t("ready") : title}
      description={t(key ? "readyText" : replaces ? "renewText" : "makeText")}
      footer={
        key ? (
          <Button variant="primary" disabled={!stored} onClick={() => change(false)}>
            {t("done")}
          </Button>
        ) : (
          <Button variant="primary" working={renew.working} onClick={() => renew.attempt()}>
            {t(replaces ? "renew" : "make")}
          </Button>
        )
      }
    >
      {key ? (
        <div className="flex flex-col gap-5">
          <SecretOnce secret={key} label={t("key")} onStored={setStored} />
          <CodeBlock
            title={TERMINAL}
            code={`curl ${origin}/api/sites/${siteId} \\\n  -H "Accept: application/json" \\\n  -H "X-API-Key: ${key}"`}
          />
        </div>
      ) : (
        <div className="flex flex-col gap-5">
          {renew.problem ? <FormAlert tone="danger">{renew.problem}</FormAlert> : null}
          {replaces ? (
            <Field group label={t("grace.label")}>
              <RadioGroup
                value={grace}
                onValueChange={setGrace}
                options={(Object.keys(GRACES) as Grace[]).map((value) => ({
                  value,
                  label: t(`grace.${value}`),
                  hint: value === "none" ? t("grace.noneHint") : undefined,
                }))}
              />
            </Field>
          ) : null}
        </div>
      )}
      {confirmation}
    </Dialog>
  );
}
