import { useTranslations } from "next-intl";
import { Banner } from "@/components/ui/banner";
import { FormAlert } from "@/components/ui/form-alert";
import { LinkButton } from "@/components/ui/link-button";
import { Time } from "@/components/ui/time";

interface AgreementNoticeProps {
  /** When the signature of an older version expires; null without a valid signature. */
  dueBy: string | null;
}

export function AgreementBanner({ dueBy }: AgreementNoticeProps) {
  return (
    <Banner tone="warning" action={<AgreementButton />}>
      <AgreementText dueBy={dueBy} />
    </Banner>
  );
}

export function AgreementAlert({ dueBy }: AgreementNoticeProps) {
  return (
    <FormAlert tone="warning" action={<AgreementButton />}>
      <AgreementText dueBy={dueBy} />
    </FormAlert>
  );
}

function AgreementText({ dueBy }: AgreementNoticeProps) {
  const t = useTranslations("agreement");
  if (dueBy === null) return <span>{t("unsigned")}</span>;
  return t.rich("dueBy", { date: () => <Time value={dueBy} show="date" /> });
}

function AgreementButton() {
  const t = useTranslations("agreement");
  return (
    <LinkButton size="sm" variant="primary" href="/reseller/agreement">
      {t("open")}
    </LinkButton>
  );
}
