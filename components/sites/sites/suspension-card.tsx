"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { type ReactNode, useState } from "react";
import { useProofPrompt } from "@/components/accounts/users/use-proof-prompt";
import { api, call } from "@/components/api/client";
import type { FormError } from "@/components/api/form-error";
import { useAction } from "@/components/form/use-action";
import { AlertDialog } from "@/components/ui/alert-dialog";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { FormAlert } from "@/components/ui/form-alert";
import { LICENCE_PAYMENT_DAYS, SITE_LICENCE_PRICE_TRY } from "@/server/domains/sites/slots/contract";
import { RefusalDialog } from "./refusal-dialog";
import { SuspendedText } from "./site-facts";
import type { SiteDetail, SiteForecast } from "./types";

export interface SuspensionCardProps {
  site: Pick<SiteDetail, "id" | "name" | "is_active" | "suspended_reason">;
  /** True when the viewer owns the site. A forecast counts the viewer's slots, so it is right only then. */
  isOwner: boolean;
  /** Administrators can take over a suspension, so that only administrators can end it. */
  isAdmin: boolean;
  planOffer: ReactNode;
}

/** Shown for another owner's site instead of the server's forecast, which counts the viewer's slots. */
const LICENCE_FORECAST: SiteForecast = {
  success: true,
  mode: "pay_per_site",
  total_slots: 0,
  used_slots: 0,
  remaining_slots: 0,
  subscription: null,
  annual_price_try: SITE_LICENCE_PRICE_TRY,
  payment_days: LICENCE_PAYMENT_DAYS,
};

export function SuspensionCard({ site, isOwner, isAdmin, planOffer }: SuspensionCardProps) {
  const t = useTranslations("sites");
  const router = useRouter();
  const utils = api.useUtils();
  const [refusedForecast, setRefusedForecast] = useState<SiteForecast>();
  const params = { id: String(site.id) };
  const { prove, proofDialog } = useProofPrompt();

  async function refresh() {
    router.refresh();
    await utils.sites.invalidate();
  }

  async function onError({ body }: FormError) {
    const refusal = (body ?? {}) as { requires_confirmation?: boolean; requires_upgrade?: boolean };
    const mode = refusal.requires_confirmation ? "pay_per_site" : refusal.requires_upgrade ? "upgrade" : null;
    if (!mode) return;
    // A larger plan does not help for another owner's site: the server's message is enough.
    if (!isOwner) return mode === "pay_per_site" ? setRefusedForecast(LICENCE_FORECAST) : undefined;
    const forecast = await utils.sites.getForecast.fetch(undefined, { staleTime: 0 }).catch(() => null);
    // Without subscription: the dialog shows the refusal, even if a slot has become free since.
    if (forecast) setRefusedForecast({ ...forecast, mode, subscription: null });
  }

  const suspension = useAction(
    () => prove(t("suspension.suspend"), () => call.sites.suspend.mutate({ params })),
    {
      onSuccess: refresh,
    },
  );
  const activation = useAction(
    (confirmed: boolean) =>
      prove(t("suspension.activate"), () =>
        call.sites.activate.mutate({ params, body: { confirm_pay_per_site: confirmed || undefined } }),
      ),
    { onSuccess: refresh, onError },
  );

  const renderSuspendDialog = (label: string, description: string) => (
    <AlertDialog
      trigger={<Button>{label}</Button>}
      title={t.rich("suspension.suspendTitle", { name: () => <bdi>{site.name}</bdi> })}
      description={description}
      confirmLabel={label}
      tone="primary"
      onConfirm={suspension.attempt}
    />
  );

  if (site.is_active)
    return (
      <Card
        title={t("suspension.suspend")}
        description={t("suspension.suspendText")}
        footer={
          <>
            {renderSuspendDialog(t("suspension.suspend"), t("suspension.suspendText"))}
            {proofDialog}
          </>
        }
      />
    );
  return (
    <>
      <Card
        title={t("suspension.activate")}
        description={site.suspended_reason ? <SuspendedText reason={site.suspended_reason} /> : undefined}
        footer={
          <>
            {isAdmin && !isOwner && site.suspended_reason !== "administrator"
              ? renderSuspendDialog(t("suspension.hold"), t("suspension.holdText"))
              : null}
            <Button
              variant="primary"
              working={activation.isPending}
              onClick={() => activation.attempt(false)}
            >
              {t("suspension.activate")}
            </Button>
          </>
        }
      >
        {activation.problem && !refusedForecast ? (
          <FormAlert live tone="danger">
            {activation.problem}
          </FormAlert>
        ) : null}
      </Card>
      {proofDialog}
      <RefusalDialog
        refusedForecast={refusedForecast}
        planOffer={planOffer}
        descriptionText={t("suspension.refusal")}
        confirmLabel={t("suspension.activate")}
        onClose={() => {
          setRefusedForecast(undefined);
          activation.setProblem(undefined);
        }}
        onConfirm={() => {
          setRefusedForecast(undefined);
          void activation.attempt(true);
        }}
      />
    </>
  );
}
