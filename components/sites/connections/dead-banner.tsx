import type { Route } from "next";
import { useTranslations } from "next-intl";
import { Banner } from "@/components/ui/banner";
import { LinkButton } from "@/components/ui/link-button";

export function DeadConnectionBanner({ count }: { count: number }) {
  const t = useTranslations("connections.banner");
  return (
    <Banner
      tone="warning"
      action={
        <LinkButton size="sm" href={"/connections?state=dead" as Route}>
          {t("show")}
        </LinkButton>
      }
    >
      {t("text", { count })}
    </Banner>
  );
}
