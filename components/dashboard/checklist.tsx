import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { Card } from "@/components/ui/card";
import { LinkButton } from "@/components/ui/link-button";
import { HideButton } from "./hide-button";
import { StepList } from "./step-list";

const STEPS = ["mail", "site", "safe", "language"] as const;

type Step = (typeof STEPS)[number];

export interface ChecklistProps {
  /** Steps that the account cannot do are left out. */
  isStepDone: Partial<Record<Step, boolean>>;
  email: string;
  verifyForm: ReactNode;
  canHide: boolean;
  /** Length of the free trial that the account can start. */
  trialDays: number | undefined;
}

export function Checklist({ isStepDone, email, verifyForm, canHide, trialDays }: ChecklistProps) {
  const t = useTranslations("dashboard.checklist");
  const steps = STEPS.filter((step) => step in isStepDone);
  const doneCount = steps.filter((step) => isStepDone[step]).length;
  const actions: Partial<Record<Step, ReactNode>> = {
    site: (
      <LinkButton size="sm" variant={isStepDone.mail ? "primary" : undefined} href="/sites/new">
        {t("siteAction")}
      </LinkButton>
    ),
    safe: (
      <LinkButton size="sm" href="/settings/security#passkeys">
        {t("safeAction")}
      </LinkButton>
    ),
    language: (
      <LinkButton size="sm" href="/settings/profile#language">
        {t("languageAction")}
      </LinkButton>
    ),
  };
  return (
    <Card
      title={t("title")}
      description={t("progress", { done: doneCount, total: steps.length })}
      actions={canHide ? <HideButton preferenceName="checklist" label={t("hide")} /> : undefined}
      flush
    >
      <StepList
        steps={steps.map((step) => ({
          key: step,
          state: isStepDone[step] ? "done" : "open",
          title: t(step),
          text:
            step === "site" && trialDays
              ? t("siteTrialText", { days: trialDays })
              : t(`${step}Text`, { email }),
          action: actions[step],
          form: step === "mail" ? verifyForm : undefined,
        }))}
      />
    </Card>
  );
}
