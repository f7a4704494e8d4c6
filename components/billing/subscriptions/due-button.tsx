import type { Route } from "next";
import { useTranslations } from "next-intl";
import { LinkButton } from "@/components/ui/link-button";
import type { DueItem } from "./types";

const DUE_PATHS: Record<DueItem["kind"], Route> = {
  expired: "/billing#plans" as Route,
  past_due: "/billing",
  ends: "/billing",
  order: "/billing",
  licence: "/billing?tab=licences" as Route,
};

/** Link to where the item can be paid; nothing if another account pays. */
export function DueButton({ due, labelSuffix }: { due: DueItem; labelSuffix?: string }) {
  const t = useTranslations("dashboard.due");
  if (due.contact) return null;
  return (
    <LinkButton
      size="sm"
      variant={due.kind === "expired" ? "primary" : undefined}
      href={DUE_PATHS[due.kind]}
      labelSuffix={labelSuffix}
    >
      {t(getLabelKey(due))}
    </LinkButton>
  );
}

function getLabelKey({ kind, plan_id }: DueItem) {
  if (kind === "expired") return plan_id ? "orderAgain" : "choose";
  return kind === "past_due" || kind === "ends" ? "renew" : "pay";
}
