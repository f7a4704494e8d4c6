"use client";

import { useTranslations } from "next-intl";
import { useFormProof, useProofPrompt } from "@/components/accounts/users/use-proof-prompt";
import { api, call } from "@/components/api/client";
import { FormCheckbox } from "@/components/form/form-checkbox";
import { FormField } from "@/components/form/form-field";
import { OperationForm, SubmitButton } from "@/components/form/operation-form";
import { useAction } from "@/components/form/use-action";
import { useStoredForm } from "@/components/form/use-stored-form";
import { Card } from "@/components/ui/card";
import { FormAlert } from "@/components/ui/form-alert";
import { StatusChip } from "@/components/ui/status-chip";
import { Time } from "@/components/ui/time";
import type { Output } from "@/server/core/contract";
import type { getPortal } from "@/server/domains/accounts/portals/contract";
import { type Portal, PortalProof } from "./portal-proof";
import { RemovePortal } from "./remove-portal";

type PortalOutput = Output<typeof getPortal>;

const STATE_TONES = { pending: "warning", verified: "success", failing: "danger" } as const;

const EXAMPLE_DOMAIN = "panel.example.com";

const toStoredValues = (portal: PortalOutput["portal"]) =>
  portal && { domain: portal.domain, lock_customers: portal.lock_customers };

const toFormValues = (portal: ReturnType<typeof toStoredValues>) => ({
  domain: portal?.domain ?? "",
  lock_customers: portal?.lock_customers ?? false,
});

export function PortalCard({ initial }: { initial: PortalOutput }) {
  const t = useTranslations("portal");
  const utils = api.useUtils();
  const { data } = api.portals.get.useQuery(undefined, { initialData: initial });
  const { prove, proofDialog } = useProofPrompt();
  const { portal } = data;
  const form = useStoredForm(
    () => import("@/server/domains/accounts/portals/contract").then((file) => file.putPortal),
    {
      proofPrompt: useFormProof(t("title")),
      stored: toStoredValues(initial.portal),
      toFormValues,
      submit: (body, expected) => call.portals.update.mutate({ body: { ...body, expected } }),
      onSuccess: async (result) => {
        form.replaceStoredValues(toStoredValues(result.portal));
        await utils.portals.get.invalidate();
      },
      onStale: utils.portals.get.invalidate,
    },
  );

  const removePortal = useAction(() => prove(t("remove"), () => call.portals.remove.mutate()), {
    onSuccess: () => {
      form.replaceStoredValues(null);
      return utils.portals.get.invalidate();
    },
  });

  return (
    <Card
      title={t("title")}
      description={t("text")}
      actions={
        portal ? (
          <span className="flex flex-wrap gap-2">
            <StatusChip tone={STATE_TONES[portal.state]}>{t(`state.${portal.state}`)}</StatusChip>
            {portal.state === "verified" ? (
              <StatusChip tone={portal.lock_customers ? "info" : "neutral"}>
                {t(portal.lock_customers ? "locked" : "open")}
              </StatusChip>
            ) : null}
          </span>
        ) : undefined
      }
      footer={portal ? <RemovePortal onRemove={removePortal.attempt} /> : undefined}
    >
      <div className="flex flex-col gap-6">
        {portal ? <StateText portal={portal} /> : null}
        <OperationForm form={form} label={t("title")}>
          <FormField
            name="domain"
            label={t("domain")}
            hint={t("domainHint")}
            autoCapitalize="none"
            autoComplete="off"
            spellCheck={false}
            dir="ltr"
            placeholder={EXAMPLE_DOMAIN}
          />
          <FormCheckbox
            name="lock_customers"
            label={t("lock")}
            hint={portal ? t("lockCount", { count: portal.customers_count }) : t("lockHint")}
          />
          <SubmitButton>{t("save")}</SubmitButton>
        </OperationForm>
        {portal ? <PortalProof portal={portal} /> : null}
      </div>
      {proofDialog}
    </Card>
  );
}

function StateText({ portal }: { portal: Portal }) {
  const t = useTranslations("portal");
  if (portal.state !== "verified")
    return (
      <FormAlert tone={portal.state === "failing" ? "danger" : "warning"}>
        {t(`stateText.${portal.state}`)}
      </FormAlert>
    );
  if (!portal.failing_since) return null;
  const since = portal.failing_since;
  return (
    <FormAlert tone="warning">
      {t.rich("stateText.trouble", { time: () => <Time value={since} show="dateTime" /> })}
    </FormAlert>
  );
}
