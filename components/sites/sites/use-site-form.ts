"use client";

import { useRouter } from "next/navigation";
import { useRef, useState } from "react";
import { api, call } from "@/components/api/client";
import type { FormError } from "@/components/api/form-error";
import { useOperationForm } from "@/components/form/use-operation-form";
import { SITE_DEFAULTS } from "@/server/domains/sites/sites/policy";
import { getCreatedSitePath } from "./site-path";
import type { SiteForecast } from "./types";
import { storeWidgetKey } from "./widget-key-storage";

const { settings: _, ...SITE_DEFAULT_VALUES } = SITE_DEFAULTS;
const EMPTY_FORM = { name: "", domain: "", ...SITE_DEFAULT_VALUES };

export function useSiteForm(initialForecast: SiteForecast, customerId: number | undefined) {
  const router = useRouter();
  const forecastInput = customerId === undefined ? undefined : { query: { customer_id: String(customerId) } };
  const utils = api.useUtils();
  const [refusedForecast, setRefusedForecast] = useState<SiteForecast>();
  const [confirmed, setConfirmed] = useState(false);
  // Not a form value, because a restored draft must never contain a confirmation.
  const confirmationRef = useRef(false);
  const { data: forecast } = api.sites.getForecast.useQuery(forecastInput, { initialData: initialForecast });

  function setConfirmation(next: boolean) {
    confirmationRef.current = next;
    setConfirmed(next);
  }

  /** Opens the dialog with the forecast, because 402 and 403 are not input errors. */
  async function showRefusal(mode: SiteForecast["mode"]) {
    setRefusedForecast({ ...forecast, mode, subscription: null });
    setConfirmation(false);
    const latestForecast = await utils.sites.getForecast
      .fetch(forecastInput, { staleTime: 0 })
      .catch(() => null);
    if (latestForecast?.mode === mode) setRefusedForecast(latestForecast);
  }

  function onError({ status, body }: FormError): boolean {
    const refusal = (body ?? {}) as { requires_confirmation?: boolean; requires_upgrade?: boolean };
    if (status === 402 && refusal.requires_confirmation) void showRefusal("pay_per_site");
    else if (status === 403 && refusal.requires_upgrade) void showRefusal("upgrade");
    else return false;
    return true;
  }

  const form = useOperationForm(
    () => import("@/server/domains/sites/sites/contract").then((file) => file.createSite),
    {
      defaultValues: EMPTY_FORM,
      draftName: customerId === undefined ? "site.new" : `site.new.${customerId}`,
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
      onSuccess: ({ site }) => {
        void utils.sites.invalidate();
        storeWidgetKey(site.id, site.api_key);
        router.replace(getCreatedSitePath(site.id));
        // Keeps the button busy until the next page replaces this one.
        return new Promise<void>(() => {});
      },
    },
  );

  return {
    form,
    forecast,
    confirmed,
    confirm: setConfirmation,
    refused: refusedForecast,
    closeRefusal: () => setRefusedForecast(undefined),
  };
}
