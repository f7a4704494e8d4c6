import { useTranslations } from "next-intl";
import { FormAlert } from "@/components/ui/form-alert";
import type { Contact } from "./types";

/** Explains the plans to a sub-user, whose sites do not use the slots of the account above. */
export function OwnPlanNotice({ owner }: { owner: Contact }) {
  const t = useTranslations("sites.plans");
  return <FormAlert tone="info">{t.rich("ownPlan", { name: () => <bdi>{owner.name}</bdi> })}</FormAlert>;
}
