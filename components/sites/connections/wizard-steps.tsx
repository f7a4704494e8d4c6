import { useTranslations } from "next-intl";
import { Stepper } from "@/components/ui/stepper";

const STEPS = ["choose", "access", "done"] as const;

export function WizardSteps({ current }: { current: (typeof STEPS)[number] }) {
  const t = useTranslations("channels.steps");
  return (
    <div className="mb-8">
      <Stepper label={t("label")} current={current} steps={STEPS.map((key) => ({ key, label: t(key) }))} />
    </div>
  );
}
