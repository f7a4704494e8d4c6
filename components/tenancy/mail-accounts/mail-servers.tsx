import { useTranslations } from "next-intl";
import { Ltr } from "@/components/ui/bidi";
import { HelpCard } from "@/components/ui/help-card";
import { KeyValue } from "@/components/ui/key-value";

const SERVERS = [
  ["Gmail", "smtp.gmail.com:587"],
  ["Microsoft 365", "smtp.office365.com:587"],
  ["Yandex", "smtp.yandex.com:465"],
  ["iCloud", "smtp.mail.me.com:587"],
] as const;

export function MailServers() {
  const t = useTranslations("mailAccount.servers");
  return (
    <HelpCard title={t("title")}>
      <p>{t("text")}</p>
      <KeyValue
        items={SERVERS.map(([name, address]) => ({
          key: name,
          label: <bdi>{name}</bdi>,
          value: <Ltr>{address}</Ltr>,
        }))}
      />
    </HelpCard>
  );
}
