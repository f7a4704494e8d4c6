import { getTranslations } from "next-intl/server";
import { LinkButton } from "@/components/ui/link-button";
import { OwnerOnly } from "../owner-only";

/** In place of a page below /developers that agents have nothing on. */
export async function DevelopersClosed({ words }: { words: "keys" | "webhooks" }) {
  const t = await getTranslations(words);
  return (
    <OwnerOnly
      title={t("forbidden.title")}
      action={<LinkButton href="/developers/docs">{t("forbidden.docs")}</LinkButton>}
    >
      {t("forbidden.text")}
    </OwnerOnly>
  );
}
