import type { Route } from "next";
import { useTranslations } from "next-intl";
import { TextLink } from "@/components/ui/text-link";
import { useFormat } from "@/components/ui/use-format";
import type { Checkout } from "./types";

export interface CheckoutTermsProps {
  checkout: Checkout;
  replacedOrderIds: readonly number[];
}

export function CheckoutTerms({ checkout, replacedOrderIds }: CheckoutTermsProps) {
  const t = useTranslations("billing.checkout");
  const { list: formatList } = useFormat();
  const replacedPlans = checkout.orders
    .filter(({ id }) => replacedOrderIds.includes(id))
    .map(({ plan }) => plan);
  return (
    <div className="flex flex-col gap-2 text-pretty text-sm">
      {replacedPlans.length > 0 ? (
        <p className="font-medium">
          {t.rich("cancels", {
            count: replacedPlans.length,
            plans: () => <bdi>{formatList(replacedPlans)}</bdi>,
          })}
        </p>
      ) : null}
      <p className="text-fg-muted">
        {t.rich("terms", {
          terms: (text) => (
            <TextLink href={"/legal/terms" as Route} target="_blank">
              {text}
            </TextLink>
          ),
        })}
      </p>
    </div>
  );
}
