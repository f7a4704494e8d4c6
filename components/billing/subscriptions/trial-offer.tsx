"use client";

import { Sparkles } from "lucide-react";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { call } from "@/components/api/client";
import { useAction } from "@/components/form/use-action";
import { Button } from "@/components/ui/button";
import { FormAlert } from "@/components/ui/form-alert";
import { announce } from "@/components/ui/live-regions";
import type { Trial } from "./types";

export interface TrialOfferProps {
  trial: Trial;
  /** Verifies the address that the trial needs. */
  verifyForm: ReactNode;
}

/** Offers the free trial, or says what is missing for it; nothing if the account cannot have one. */
export function TrialOffer({ trial, verifyForm }: TrialOfferProps) {
  const t = useTranslations("billing.trial");
  const router = useRouter();
  const start = useAction(() => call.trials.start.mutate(), {
    // The page changes, and a toast would cover the form.
    successText: false,
    onSuccess: ({ message }) => {
      announce(message);
      router.refresh();
    },
  });
  if (trial.refusal === "unverified")
    return (
      <FormAlert tone="info" title={t("title", { days: trial.days })} action={verifyForm}>
        {t("unverified")}
      </FormAlert>
    );
  if (!trial.is_available) return null;
  return (
    <section
      aria-labelledby="trial-title"
      className="flex flex-wrap items-center gap-x-6 gap-y-4 rounded-card border border-primary-mark bg-primary-soft p-5"
    >
      <Sparkles className="size-6 shrink-0 text-primary-text" />
      <div className="min-w-0 flex-1 basis-72">
        <h2 id="trial-title" className="font-semibold text-h3">
          {t("title", { days: trial.days })}
        </h2>
        <p className="mt-1 text-pretty text-sm">{t("text", { count: trial.site_slots })}</p>
      </div>
      <Button variant="primary" working={start.isPending} onClick={() => start.run()}>
        {t("start")}
      </Button>
    </section>
  );
}
