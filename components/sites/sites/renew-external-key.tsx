"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { useProofPrompt } from "@/components/accounts/users/use-proof-prompt";
import { api, call } from "@/components/api/client";
import { useAction } from "@/components/form/use-action";
import { Button } from "@/components/ui/button";
import { CodeBlock } from "@/components/ui/code-block";
import { Dialog } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { FormAlert } from "@/components/ui/form-alert";
import { RadioGroup } from "@/components/ui/radio-group";
import { SecretOnce } from "@/components/ui/secret-once";

const CODE_TITLE = "curl";

/** A week is the maximum: GRACE_MAX_MINUTES in external-keys/policy.ts. */
const GRACE_MINUTES = { none: 0, hour: 60, day: 1440, week: 10_080 } as const;
type Grace = keyof typeof GRACE_MINUTES;

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
  const [isStored, setIsStored] = useState(false);
  const [key, setKey] = useState<string>();
  const { prove, proofDialog } = useProofPrompt();
  const title = t(replaces ? "renewTitle" : "makeTitle");
  const renew = useAction(
    () =>
      prove(title, () =>
        call.externalKeys.regenerate.mutate({
          params: { id: String(siteId) },
          body: { grace_minutes: replaces ? GRACE_MINUTES[grace] : 0 },
        }),
      ),
    { success: false, onSuccess: (response) => setKey(response.external_api_key) },
  );

  function handleOpenChange(isOpen: boolean) {
    setOpen(isOpen);
    if (isOpen) return;
    if (key) void utils.externalKeys.get.invalidate();
    setKey(undefined);
    renew.setProblem(undefined);
    setIsStored(false);
  }

  return (
    <Dialog
      open={open}
      onOpenChange={handleOpenChange}
      dismissible={!key || isStored}
      trigger={<Button size="sm">{t(replaces ? "renew" : "make")}</Button>}
      title={key ? t("ready") : title}
      description={t(key ? "readyText" : replaces ? "renewText" : "makeText")}
      footer={
        key ? (
          <Button variant="primary" disabled={!isStored} onClick={() => handleOpenChange(false)}>
            {t("done")}
          </Button>
        ) : (
          <Button variant="primary" working={renew.isPending} onClick={() => renew.attempt()}>
            {t(replaces ? "renew" : "make")}
          </Button>
        )
      }
    >
      {key ? (
        <div className="flex flex-col gap-5">
          <SecretOnce secret={key} label={t("key")} onStored={setIsStored} />
          <CodeBlock
            title={CODE_TITLE}
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
                options={(Object.keys(GRACE_MINUTES) as Grace[]).map((value) => ({
                  value,
                  label: t(`grace.${value}`),
                  hint: value === "none" ? t("grace.noneHint") : undefined,
                }))}
              />
            </Field>
          ) : null}
        </div>
      )}
      {proofDialog}
    </Dialog>
  );
}
