"use client";

import { Eye, PencilLine } from "lucide-react";
import { useTranslations } from "next-intl";
import { type ReactNode, useState } from "react";
import { OperationForm, SubmitButton } from "@/components/form/operation-form";
import { useFocusOnMount } from "@/components/form/use-focus-on-mount";
import { LinkButton } from "@/components/ui/link-button";
import { PageHeader } from "@/components/ui/page-header";
import { BillingForecast } from "./billing-forecast";
import { WidgetFormPreview } from "./form-preview";
import { RefusalDialog } from "./refusal-dialog";
import { Segmented } from "./segmented";
import { SiteFields } from "./site-fields";
import type { SiteForecast } from "./types";
import { useSiteForm } from "./use-site-form";

export interface NewSiteProps {
  forecast: SiteForecast;
  customer?: { id: number; name: string };
  planOffer: ReactNode;
  isTrialOffered: boolean;
}

export function NewSite({ forecast, customer, planOffer, isTrialOffered }: NewSiteProps) {
  const t = useTranslations("sites");
  const header = (
    <PageHeader
      title={t("new.title")}
      description={
        customer
          ? t.rich("new.forCustomer", {
              name: () => <bdi className="font-medium text-fg">{customer.name}</bdi>,
            })
          : forecast.mode === "upgrade"
            ? undefined
            : t("new.text")
      }
    />
  );
  if (forecast.mode === "upgrade") {
    return (
      <>
        {header}
        <BillingForecast
          forecast={forecast}
          planOffer={planOffer}
          isTrialOffered={isTrialOffered}
          isConfirmed={false}
          onConfirmedChange={() => {}}
        />
      </>
    );
  }
  return (
    <>
      {header}
      <SiteForm forecast={forecast} customerId={customer?.id} planOffer={planOffer} />
    </>
  );
}

function SiteForm({
  forecast: initialForecast,
  customerId,
  planOffer,
}: {
  forecast: SiteForecast;
  customerId: number | undefined;
  planOffer: ReactNode;
}) {
  const t = useTranslations("sites");
  const [mobileView, setMobileView] = useState<"form" | "preview">("form");
  const {
    form,
    forecast,
    confirmed,
    confirm,
    refused: refusedForecast,
    closeRefusal,
  } = useSiteForm(initialForecast, customerId);
  // A price above the fields is read first.
  useFocusOnMount(form, forecast.mode === "pay_per_site" ? undefined : "name");
  return (
    <>
      <div className="mb-5 lg:hidden">
        <Segmented
          showLabels
          label={t("new.view")}
          value={mobileView}
          onValueChange={setMobileView}
          options={[
            { value: "form", label: t("new.form"), icon: <PencilLine /> },
            { value: "preview", label: t("preview.title"), icon: <Eye /> },
          ]}
        />
      </div>
      <div className="grid items-start gap-8 lg:grid-cols-[minmax(0,1fr)_22rem] xl:grid-cols-[minmax(0,1fr)_26rem]">
        <div className={mobileView === "preview" ? "max-lg:hidden" : undefined}>
          <OperationForm form={form} label={t("new.title")}>
            <BillingForecast
              forecast={forecast}
              isConfirmed={confirmed}
              onConfirmedChange={confirm}
              planOffer={planOffer}
            />
            <SiteFields />
            <div className="layer-sticky flex flex-wrap justify-end gap-2 max-sm:sticky max-sm:bottom-16 short:static max-sm:-mx-4 max-sm:border-border max-sm:border-t max-sm:bg-surface max-sm:px-4 max-sm:py-3">
              <LinkButton href="/sites">{t("new.cancel")}</LinkButton>
              <SubmitButton>{t("new.submit")}</SubmitButton>
            </div>
          </OperationForm>
        </div>
        <div className={mobileView === "form" ? "max-lg:hidden lg:sticky lg:top-24" : "lg:sticky lg:top-24"}>
          <WidgetFormPreview form={form} />
        </div>
      </div>
      <RefusalDialog
        refusedForecast={refusedForecast}
        planOffer={planOffer}
        onClose={closeRefusal}
        onConfirm={() => {
          confirm(true);
          closeRefusal();
          void form.onSubmit();
        }}
      />
    </>
  );
}
