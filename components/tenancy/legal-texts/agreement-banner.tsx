import { useTranslations } from "next-intl";
import { Banner } from "@/components/ui/banner";
import { LinkButton } from "@/components/ui/link-button";
import { Time } from "@/components/ui/time";

/** Shown on every page of a reseller until the new agreement is signed. */
export function AgreementBanner({ by }: { by: string }) {
  const t = useTranslations("agreement");
  return (
    <Banner
      tone="warning"
      action={
        <LinkButton size="sm" href="/reseller/agreement">
          {t("read")}
        </LinkButton>
      }
    >
      {t.rich("dueBy", { date: () => <Time value={by} show="date" /> })}
    </Banner>
  );
}
