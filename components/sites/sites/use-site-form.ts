"use client";

import { useRef, useState } from "react";
import { api, call } from "@/components/api/client";
import type { FormError } from "@/components/api/form-error";
import { useOperationForm } from "@/components/form/use-operation-form";
import type { Output } from "@/server/core/contract";
import type { createSite } from "@/server/domains/sites/sites/contract";
import { SITE_DEFAULTS } from "@/server/domains/sites/sites/policy";
import type { SiteForecast } from "./types";

export type CreatedSite = Output<typeof createSite>;

const { settings: _, ...SITE_VALUES } = SITE_DEFAULTS;
const EMPTY_FORM = { name: "", domain: "", ...SITE_VALUES };

export function useSiteForm(
  initialForecast: SiteForecast,
  { customerId, onCreated }: { customerId?: number; onCreated: (created: CreatedSite) => void },
) {
  const input = customerId === undefined ? undefined : { query: { customer_id: String(customerId) } };
  const utils = api.useUtils();
  const [refused, setRefused] = useState<SiteForecast>();
  const [confirmed, setConfirmed] = useState(false);
  // Not a form value, because a restored draft must never contain a confirmation.
  const confirmationRef = useRef(false);
  const { data: forecast } = api.sites.getForecast.useQuery(input, { initialData: initialForecast });

  function confirm(next: boolean) {
    confirmationRef.current = next;
    setConfirmed(next);
  }

  /** Opens the dialog with the forecast, because 402 and 403 are not input errors. */
  async function showForecast(mode: SiteForecast["mode"]) {
    setRefused({ ...forecast, mode, subscription: null });
    confirm(false);
    const latestForecast = await utils.sites.getForecast.fetch(input, { staleTime: 0 }).catch(() => null);
    if (latestForecast?.mode === mode) setRefused(latestForecast);
  }

  function onError({ status, body }: FormError): boolean {
    const result = (body ?? {}) as { requires_confirmation?: boolean; requires_upgrade?: boolean };
    if (status === 402 && result.requires_confirmation) void showForecast("pay_per_site");
    else if (status === 403 && result.requires_upgrade) void showForecast("upgrade");
    else return false;
    return true;
  }

  const form = useOperationForm(
    () => import("@/server/domains/sites/sites/contract").then((file) => file.createSite),
    {
      defaultValues: EMPTY_FORM,
      draft: customerId === undefined ? "site.new" : `site.new.${customerId}`,
      submit: (values) =>
        call.sites.create.mutate({
          body: {
            ...values,
            customer_id: customerId,
            confirm_pay_per_site: confirmationRef.current || undefined,
          },
        }),
      onError,
      showsSuccessToast: false,
      onSuccess: (created) => {
        void utils.sites.invalidate();
        onCreated(created);
      },
    },
  );

  return { form, forecast, confirmed, confirm, refused, closeRefusal: () => setRefused(undefined) };
}
