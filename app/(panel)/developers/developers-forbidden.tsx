import { getTranslations } from "next-intl/server";
import { LinkButton } from "@/components/ui/link-button";
import { OwnerOnly } from "../owner-only";

export async function DevelopersForbidden({ namespace }: { namespace: "keys" | "webhooks" }) {
  const t = await getTranslations(namespace);
  return (
    <OwnerOnly
      title={t("forbidden.title")}
      action={<LinkButton href="/developers/docs">{t("forbidden.docs")}</LinkButton>}
    >
      {t("forbidden.text")}
    </OwnerOnly>
  );
}
