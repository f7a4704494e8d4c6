import { Check } from "lucide-react";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";

export interface StepperProps {
  steps: readonly { key: string; label: ReactNode }[];
  current: string;
  label: string;
}

export function Stepper({ steps, current, label }: StepperProps) {
  const t = useTranslations("ui.stepper");
  const currentIndex = steps.findIndex(({ key }) => key === current);
  return (
    <nav aria-label={label}>
      <p className="text-fg-muted text-sm sm:hidden">
        <span>{`${t("position", { step: currentIndex + 1, steps: steps.length })} · `}</span>
        <span className="font-medium text-fg">{steps[currentIndex]?.label}</span>
      </p>
      <ol className="hidden items-center gap-3 sm:flex">
        {steps.map((step, index) => (
          <li
            key={step.key}
            aria-current={index === currentIndex ? "step" : undefined}
            className="flex min-w-0 items-center gap-3 not-last:flex-1"
          >
            <span className="flex min-w-0 items-center gap-2">
              <span
                className={`grid size-6 shrink-0 place-items-center rounded-full border font-medium text-caption ${
                  index < currentIndex
                    ? "border-primary-border bg-primary text-primary-fg"
                    : index === currentIndex
                      ? "border-primary-mark text-primary-text"
                      : "border-border-strong text-fg-muted"
                }`}
              >
                {index < currentIndex ? (
                  <Check className="size-3.5" aria-label={t("done")} role="img" />
                ) : (
                  index + 1
                )}
              </span>
              <span
                className={`truncate text-sm ${index === currentIndex ? "font-medium text-fg" : "text-fg-muted"}`}
              >
                {step.label}
              </span>
            </span>
            {index < steps.length - 1 ? <span aria-hidden className="h-px min-w-4 flex-1 bg-border" /> : null}
          </li>
        ))}
      </ol>
    </nav>
  );
}
