"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { type ReactNode, useState } from "react";
import { useProofPrompt } from "@/components/accounts/users/use-proof-prompt";
import { api, call } from "@/components/api/client";
import type { FormError } from "@/components/api/form-error";
import { useAction } from "@/components/form/use-action";
import { Button } from "@/components/ui/button";
import { FormAlert } from "@/components/ui/form-alert";
import { LICENCE_PAYMENT_DAYS, SITE_LICENCE_PRICE_TRY } from "@/server/domains/sites/slots/contract";
import { RefusalDialog } from "./refusal-dialog";
import type { SiteForecast } from "./types";

export interface ActivateSiteProps {
  siteId: number;
  /** True when the viewer owns the site. A forecast counts the viewer's slots, so it is right only then. */
  isOwner: boolean;
  isPrimary: boolean;
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
  on_trial: false,
  annual_price_try: SITE_LICENCE_PRICE_TRY,
  payment_days: LICENCE_PAYMENT_DAYS,
};

/** Button that activates a suspended site, and the dialog if nothing pays for the site. */
export function ActivateSite({ siteId, isOwner, isPrimary, planOffer }: ActivateSiteProps) {
  const t = useTranslations("sites");
  const router = useRouter();
  const utils = api.useUtils();
  const [refusedForecast, setRefusedForecast] = useState<SiteForecast>();
  const { prove, proofDialog } = useProofPrompt();

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

  const activation = useAction(
    (confirmed: boolean) =>
      prove(t("suspension.activate"), () =>
        call.sites.activate.mutate({
          params: { id: String(siteId) },
          body: { confirm_pay_per_site: confirmed || undefined },
        }),
      ),
    {
      onSuccess: async () => {
        router.refresh();
        await utils.sites.invalidate();
      },
      onError,
    },
  );

  return (
    <>
      <Button
        size="sm"
        variant={isPrimary ? "primary" : undefined}
        working={activation.isPending}
        onClick={() => activation.attempt(false)}
      >
        {t("suspension.activate")}
      </Button>
      {activation.problem && !refusedForecast ? (
        <div className="w-full">
          <FormAlert live tone="danger">
            {activation.problem}
          </FormAlert>
        </div>
      ) : null}
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
