import { useTranslations } from "next-intl";
import { ForbiddenState } from "@/components/ui/forbidden-state";
import type { Contact } from "./types";

/** Stands in for the plans that a sub-user cannot order. */
export function BillingOwnerNotice({ owner }: { owner: Contact }) {
  const t = useTranslations("sites.plans");
  return (
    <ForbiddenState heading="h2" title={t("ownerOnly")} contact={owner}>
      {t("ownerOnlyText")}
    </ForbiddenState>
  );
}
