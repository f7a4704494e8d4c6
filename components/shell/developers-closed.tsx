import { getTranslations } from "next-intl/server";
import { ForbiddenState } from "@/components/ui/forbidden-state";
import { LinkButton } from "@/components/ui/link-button";

/** In place of a page below /developers that agents have nothing on. */
export async function DevelopersClosed({ words }: { words: "keys" | "webhooks" }) {
  const t = await getTranslations(words);
  return (
    <ForbiddenState
      heading="h1"
      title={t("forbidden.title")}
      action={<LinkButton href="/developers/docs">{t("forbidden.docs")}</LinkButton>}
    >
      {t("forbidden.text")}
    </ForbiddenState>
  );
}
