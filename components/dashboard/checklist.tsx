import { Check, CircleDashed } from "lucide-react";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { Card } from "@/components/ui/card";
import { LinkButton } from "@/components/ui/link-button";
import { HideButton } from "./hide-button";

const STEPS = ["mail", "site", "safe", "language"] as const;

type Step = (typeof STEPS)[number];

export interface ChecklistProps {
  /** Steps that the account cannot do are left out. */
  isStepDone: Partial<Record<Step, boolean>>;
  email: string;
  canHide: boolean;
}

export function Checklist({ isStepDone, email, canHide }: ChecklistProps) {
  const t = useTranslations("dashboard.checklist");
  const steps = STEPS.filter((step) => step in isStepDone);
  const doneCount = steps.filter((step) => isStepDone[step]).length;
  const actions: Record<Step, ReactNode> = {
    mail: (
      <LinkButton size="sm" href="/verify-email">
        {t("mailAction")}
      </LinkButton>
    ),
    site: (
      <LinkButton size="sm" variant="primary" href="/sites/new">
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
      <ol className="divide-y divide-border border-border border-t">
        {steps.map((step) => (
          <li key={step} className="flex flex-wrap items-center gap-x-4 gap-y-2 px-5 py-3.5">
            <span
              className={`grid size-7 shrink-0 place-items-center rounded-full ${isStepDone[step] ? "bg-success-soft text-success-text" : "bg-sunken text-fg-muted"}`}
            >
              {isStepDone[step] ? <Check /> : <CircleDashed />}
              <span className="sr-only">{t(isStepDone[step] ? "done" : "open")}</span>
            </span>
            <span className="min-w-48 flex-1">
              <span className={`block font-medium text-sm ${isStepDone[step] ? "text-fg-muted" : ""}`}>
                {t(step)}
              </span>
              {isStepDone[step] ? null : (
                <span className="block text-compact text-fg-muted">{t(`${step}Text`, { email })}</span>
              )}
            </span>
            {isStepDone[step] ? null : actions[step]}
          </li>
        ))}
      </ol>
    </Card>
  );
}
