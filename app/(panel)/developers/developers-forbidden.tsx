import { getTranslations } from "next-intl/server";
import { LinkButton } from "@/components/ui/link-button";
import { OwnerOnlyNotice } from "../owner-only";

export async function DevelopersForbidden({ namespace }: { namespace: "keys" | "webhooks" }) {
  const t = await getTranslations(namespace);
  return (
    <OwnerOnlyNotice
      title={t("forbidden.title")}
      action={<LinkButton href="/developers/docs">{t("forbidden.docs")}</LinkButton>}
    >
      {t("forbidden.text")}
    </OwnerOnlyNotice>
  );
}
