import type { Route } from "next";
import { useTranslations } from "next-intl";
import { Card } from "@/components/ui/card";
import { LinkButton } from "@/components/ui/link-button";
import type { Output } from "@/server/core/contract";
import type { getResellerSetup } from "@/server/domains/tenancy/overview/contract";
import { HideButton } from "./hide-button";
import { StepList } from "./step-list";

type SetupStep = Output<typeof getResellerSetup>["steps"][number];

const STEP_PATHS: Record<SetupStep["step"], Route> = {
  agreement: "/reseller/agreement",
  brand: "/reseller/branding",
  portal: "/reseller/branding#portal" as Route,
  mail: "/reseller/mail",
  customer: "/reseller/customers",
};

/** A reseller's first steps. Without a signature, only the agreement can be opened. */
export function SetupChecklist({ steps }: { steps: readonly SetupStep[] }) {
  const t = useTranslations("dashboard.setup");
  const tChecklist = useTranslations("dashboard.checklist");
  const tAgreement = useTranslations("agreement");
  const isSigned = steps.some(({ step, state }) => step === "agreement" && state === "done");
  const doneCount = steps.filter(({ state }) => state === "done").length;
  return (
    <Card
      title={t("title")}
      description={tChecklist("progress", { done: doneCount, total: steps.length })}
      actions={isSigned ? <HideButton preferenceName="setup" label={tChecklist("hide")} /> : undefined}
      flush
    >
      <StepList
        steps={steps.map(({ step, state }) => ({
          key: step,
          state,
          title: t(`${step}.title`),
          text: t(state === "started" && hasStartedText(step) ? `${step}.started` : `${step}.text`),
          action:
            step === "agreement" ? (
              <LinkButton size="sm" variant="primary" href={STEP_PATHS[step]}>
                {tAgreement("open")}
              </LinkButton>
            ) : isSigned ? (
              <LinkButton size="sm" href={STEP_PATHS[step]} labelSuffix={t(`${step}.title`)}>
                {t(`${step}.action`)}
              </LinkButton>
            ) : undefined,
        }))}
      />
    </Card>
  );
}

function hasStartedText(step: SetupStep["step"]): step is "portal" | "mail" | "customer" {
  return step === "portal" || step === "mail" || step === "customer";
}
