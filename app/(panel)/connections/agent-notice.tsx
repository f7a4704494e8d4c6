import { getTranslations } from "next-intl/server";
import { LinkButton } from "@/components/ui/link-button";
import { OwnerOnlyNotice } from "../owner-only";

export async function ConnectionsOwnerNotice() {
  const t = await getTranslations("channels.agent");
  return (
    <OwnerOnlyNotice title={t("title")} action={<LinkButton href="/connections">{t("back")}</LinkButton>}>
      {t("text")}
    </OwnerOnlyNotice>
  );
}
