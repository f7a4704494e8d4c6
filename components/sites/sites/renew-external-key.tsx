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

/** A week is the maximum: KEY_GRACE_MAX_MINUTES in external-keys/policy.ts. */
const GRACE_MINUTES_BY_OPTION = { none: 0, hour: 60, day: 1440, week: 10_080 } as const;
type GraceOption = keyof typeof GRACE_MINUTES_BY_OPTION;

export function RenewExternalKey({
  siteId,
  replacesKey,
  origin,
}: {
  siteId: number;
  replacesKey: boolean;
  origin: string;
}) {
  const t = useTranslations("sites.externalKey");
  const utils = api.useUtils();
  const [open, setOpen] = useState(false);
  const [graceOption, setGraceOption] = useState<GraceOption>("day");
  const [isStored, setIsStored] = useState(false);
  const [newKey, setNewKey] = useState<string>();
  const { prove, proofDialog } = useProofPrompt();
  const title = t(replacesKey ? "renewTitle" : "makeTitle");
  const renewAction = useAction(
    () =>
      prove(title, () =>
        call.externalKeys.regenerate.mutate({
          params: { id: String(siteId) },
          body: { grace_minutes: replacesKey ? GRACE_MINUTES_BY_OPTION[graceOption] : 0 },
        }),
      ),
    { successText: false, onSuccess: (response) => setNewKey(response.external_api_key) },
  );

  function handleOpenChange(isOpen: boolean) {
    setOpen(isOpen);
    if (isOpen) return;
    if (newKey) void utils.externalKeys.get.invalidate();
    setNewKey(undefined);
    renewAction.setProblem(undefined);
    setIsStored(false);
  }

  return (
    <Dialog
      open={open}
      onOpenChange={handleOpenChange}
      dismissible={!newKey || isStored}
      trigger={<Button size="sm">{t(replacesKey ? "renew" : "make")}</Button>}
      title={newKey ? t("ready") : title}
      description={t(newKey ? "readyText" : replacesKey ? "renewText" : "makeText")}
      footer={
        newKey ? (
          <Button variant="primary" disabled={!isStored} onClick={() => handleOpenChange(false)}>
            {t("done")}
          </Button>
        ) : (
          <Button variant="primary" working={renewAction.isPending} onClick={() => renewAction.attempt()}>
            {t(replacesKey ? "renew" : "make")}
          </Button>
        )
      }
    >
      {newKey ? (
        <div className="flex flex-col gap-5">
          <SecretOnce secret={newKey} label={t("key")} onStoredChange={setIsStored} />
          <CodeBlock
            title={CODE_TITLE}
            code={`curl ${origin}/api/sites/${siteId} \\\n  -H "Accept: application/json" \\\n  -H "X-API-Key: ${newKey}"`}
          />
        </div>
      ) : (
        <div className="flex flex-col gap-5">
          {renewAction.problem ? <FormAlert tone="danger">{renewAction.problem}</FormAlert> : null}
          {replacesKey ? (
            <Field group label={t("grace.label")}>
              <RadioGroup
                value={graceOption}
                onValueChange={setGraceOption}
                options={(Object.keys(GRACE_MINUTES_BY_OPTION) as GraceOption[]).map((value) => ({
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
