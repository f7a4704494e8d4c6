import { useTranslations } from "next-intl";
import { Banner } from "@/components/ui/banner";
import { LinkButton } from "@/components/ui/link-button";
import { Time } from "@/components/ui/time";

export function AgreementBanner({ dueBy }: { dueBy: string }) {
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
      {t.rich("dueBy", { date: () => <Time value={dueBy} show="date" /> })}
    </Banner>
  );
}
