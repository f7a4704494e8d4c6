import { Check } from "lucide-react";
import { useTranslations } from "next-intl";
import { Badge } from "@/components/ui/badge";
import { Ltr } from "@/components/ui/bidi";
import { LinkButton } from "@/components/ui/link-button";
import { Money } from "@/components/ui/number";
import { getCheckoutHref } from "./paths";
import type { Plan } from "./types";

export interface PlanCardsProps {
  plans: readonly Plan[];
  /** Plans that the account has. */
  currentPlanIds?: readonly number[];
  /** False if another offer comes first. */
  isMainOffer?: boolean;
}

export function PlanCards({ plans, currentPlanIds = [], isMainOffer = true }: PlanCardsProps) {
  const t = useTranslations("sites.plans");
  return (
    <div className="@container">
      <ul className="grid gap-4 @md:grid-cols-2 @4xl:grid-cols-4">
        {plans.map((plan) => {
          const isCurrent = currentPlanIds.includes(plan.id);
          return (
            <li
              key={plan.id}
              className="flex flex-col gap-4 rounded-card border border-border bg-surface p-5"
            >
              <div>
                <div className="flex flex-wrap items-center justify-between gap-2">
                  <h2 className="font-semibold text-lg">
                    <bdi>{plan.name}</bdi>
                  </h2>
                  {isCurrent ? <Badge>{t("current")}</Badge> : null}
                </div>
                <p className="mt-1 text-pretty text-compact text-fg-muted">{plan.description}</p>
              </div>
              <p>
                <span className="font-semibold text-h2">
                  <Money amount={plan.price} currency={plan.currency} />
                </span>{" "}
                <span className="text-compact text-fg-muted">{t("yearly")}</span>
              </p>
              <ul className="flex flex-col gap-2 text-sm">
                <Feature>{t("credits", { count: plan.monthly_credits })}</Feature>
                {plan.features.map((feature) => (
                  <Feature key={feature}>{feature}</Feature>
                ))}
              </ul>
              <div className="mt-auto">
                <LinkButton
                  block
                  variant={isMainOffer && !isCurrent ? "primary" : undefined}
                  href={getCheckoutHref(plan.id)}
                  labelSuffix={plan.name}
                >
                  {t(isCurrent ? "orderAnother" : "choose")}
                </LinkButton>
              </div>
            </li>
          );
        })}
      </ul>
    </div>
  );
}

function Feature({ children }: { children: string }) {
  return (
    <li className="flex items-start gap-2">
      <Check className="mt-[3px] text-success-text" />
      <span>{children}</span>
    </li>
  );
}

export function PlanContact({ email, hasReseller }: { email: string; hasReseller: boolean }) {
  const t = useTranslations("sites.plans");
  return (
    <p className="text-sm">
      {t.rich(hasReseller ? "contactReseller" : "contact", {
        mail: () => (
          <a
            href={`mailto:${email}`}
            className="font-medium text-primary-text underline decoration-primary-text/35 underline-offset-4"
          >
            <Ltr>{email}</Ltr>
          </a>
        ),
      })}
    </p>
  );
}
