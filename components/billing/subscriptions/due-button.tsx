import { useTranslations } from "next-intl";
import { LinkButton } from "@/components/ui/link-button";
import { getCheckoutHref, getPaymentHref, PLANS_HREF } from "./paths";
import type { DueItem } from "./types";

/** Link to where the item can be paid; nothing if another account pays. */
export function DueButton({ due, labelSuffix }: { due: DueItem; labelSuffix?: string }) {
  const t = useTranslations("dashboard.due");
  if (due.contact) return null;
  return (
    <LinkButton
      size="sm"
      variant={due.kind === "expired" ? "primary" : undefined}
      href={getHref(due)}
      labelSuffix={labelSuffix}
    >
      {t(getLabelKey(due))}
    </LinkButton>
  );
}

function getHref({ reference, plan_id: planId, is_trial: isTrial }: DueItem) {
  if (reference) return getPaymentHref(reference);
  return planId && !isTrial ? getCheckoutHref(planId) : PLANS_HREF;
}

function getLabelKey({ kind, plan_id: planId, is_trial: isTrial }: DueItem) {
  if (isTrial) return "choose";
  if (kind === "expired") return planId ? "orderAgain" : "choose";
  return kind === "past_due" || kind === "ends" ? "renew" : "pay";
}
