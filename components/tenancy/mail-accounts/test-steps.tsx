"use client";

import { CircleAlert, CircleCheck, CircleMinus } from "lucide-react";
import { useTranslations } from "next-intl";
import { toFormError } from "@/components/api/form-error";
import type { Output } from "@/server/core/contract";
import type { testMailAccount } from "@/server/domains/tenancy/mail-accounts/contract";

export type MailTestSteps = Output<typeof testMailAccount>["steps"];

const OUTCOME_ICONS = {
  done: <CircleCheck aria-hidden className="mt-0.5 size-4 shrink-0 text-success-text" />,
  failed: <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-danger-text" />,
  unused: <CircleMinus aria-hidden className="mt-0.5 size-4 shrink-0 text-fg-muted" />,
  not_reached: <CircleMinus aria-hidden className="mt-0.5 size-4 shrink-0 text-fg-muted" />,
} as const satisfies Record<MailTestSteps[number]["outcome"], unknown>;

export function getTestStepsOfError(error: unknown): MailTestSteps | undefined {
  const { body } = toFormError(error);
  return (body as { steps?: MailTestSteps } | undefined)?.steps;
}

export function TestSteps({ steps }: { steps: MailTestSteps }) {
  const t = useTranslations("mailAccount.steps");
  return (
    <ol aria-label={t("title")} className="mt-3 flex flex-col gap-1.5">
      {steps.map(({ step, outcome }) => (
        <li key={step} className="flex items-start gap-2">
          {OUTCOME_ICONS[outcome]}
          <span>
            {t("line", {
              step: t(`step.${step}`),
              outcome: t(
                outcome === "unused" ? `unused.${step === "tls" ? "tls" : "sign_in"}` : `outcome.${outcome}`,
              ),
            })}
          </span>
        </li>
      ))}
    </ol>
  );
}
