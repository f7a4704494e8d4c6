"use client";

import { useTranslations } from "next-intl";
import { useProven } from "@/components/accounts/proof/use-proven";
import { api } from "@/components/api/client";
import { FormCheckbox } from "@/components/form/form-checkbox";
import { FormField } from "@/components/form/form-field";
import { OperationForm, SubmitButton } from "@/components/form/operation-form";
import { useAction } from "@/components/form/use-action";
import { useStoredForm } from "@/components/form/use-stored-form";
import { Ltr } from "@/components/ui/bidi";
import { Card } from "@/components/ui/card";
import { CodeBlock } from "@/components/ui/code-block";
import { FormAlert } from "@/components/ui/form-alert";
import { StatusChip } from "@/components/ui/status-chip";
import { toast } from "@/components/ui/toast";
import type { Output } from "@/server/core/contract";
import type { getPortal } from "@/server/domains/tenancy/portals/contract";
import { RemovePortal } from "./remove-portal";

type Found = Output<typeof getPortal>;

const EXAMPLE = "panel.example.com";

const storedOf = (portal: Found["portal"]) =>
  portal && { domain: portal.domain, brand_name: portal.brand_name, lock_customers: portal.lock_customers };

const valuesOf = (portal: ReturnType<typeof storedOf>) => ({
  domain: portal?.domain ?? "",
  brand_name: portal?.brand_name ?? "",
  lock_customers: portal?.lock_customers ?? false,
});

export interface PortalCardProps {
  initial: Found;
  /** The host of the panel itself, which the portal's DNS record points to. */
  panelHost: string;
}

/** A reseller's own domain and brand, and whether customers sign in there only. */
export function PortalCard({ initial, panelHost }: PortalCardProps) {
  const t = useTranslations("portal");
  const utils = api.useUtils();
  const { data } = api.portals.get.useQuery(undefined, { initialData: initial });
  const put = api.portals.update.useMutation();
  const removal = api.portals.remove.useMutation();
  const { prove, confirmation } = useProven();
  const { portal } = data;
  const form = useStoredForm(
    () => import("@/server/domains/tenancy/portals/contract").then((file) => file.putPortal),
    {
      stored: storedOf(initial.portal),
      valuesOf,
      submit: (body, expected) => prove(t("title"), () => put.mutateAsync({ body: { ...body, expected } })),
      onSuccess: async (saved) => {
        if (!saved) return;
        toast.success(saved.message);
        form.begin(storedOf(saved.portal));
        await utils.portals.get.invalidate();
      },
      onStale: utils.portals.get.invalidate,
    },
  );

  const remove = useAction(() => prove(t("remove"), () => removal.mutateAsync()), {
    onSuccess: () => {
      form.begin(null);
      return utils.portals.get.invalidate();
    },
  });

  return (
    <Card
      title={t("title")}
      description={t("text")}
      actions={
        portal ? (
          portal.verified_at === null ? (
            <StatusChip tone="warning">{t("unproven")}</StatusChip>
          ) : (
            <StatusChip tone={portal.lock_customers ? "info" : "success"}>
              {t(portal.lock_customers ? "locked" : "open")}
            </StatusChip>
          )
        ) : undefined
      }
      footer={portal ? <RemovePortal onRemove={remove.attempt} /> : undefined}
    >
      <div className="flex flex-col gap-6">
        {portal?.verified_at === null ? <FormAlert tone="warning">{t("unprovenText")}</FormAlert> : null}
        <OperationForm form={form} label={t("title")}>
          <FormField
            name="brand_name"
            label={t("brand")}
            hint={t("brandHint")}
            dir="auto"
            autoComplete="off"
          />
          <FormField
            name="domain"
            label={t("domain")}
            hint={t("domainHint")}
            autoCapitalize="none"
            autoComplete="off"
            spellCheck={false}
            dir="ltr"
            placeholder={EXAMPLE}
          />
          <FormCheckbox
            name="lock_customers"
            label={t("lock")}
            hint={portal ? t("lockCount", { count: portal.customers_count }) : t("lockHint")}
          />
          <div>
            <SubmitButton>{t("save")}</SubmitButton>
          </div>
        </OperationForm>
        {portal ? (
          <section aria-label={t("dns")} className="flex flex-col gap-3">
            <h3 className="font-medium text-sm">{t("dns")}</h3>
            <p className="text-fg-muted text-sm">
              {t.rich("dnsText", { address: () => <Ltr>{portal.url}</Ltr> })}
            </p>
            <CodeBlock title={t("record")} code={`${portal.domain}.  CNAME  ${panelHost}.`} />
          </section>
        ) : null}
      </div>
      {confirmation}
    </Card>
  );
}
