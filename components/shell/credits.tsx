import { Coins } from "lucide-react";
import type { Route } from "next";
import { useTranslations } from "next-intl";
import { AppLink } from "@/components/ui/app-link";
import { useFormat } from "@/components/ui/use-format";

/** Render it on the server: the first number format of a locale takes a browser over 20 ms. */
export function Credits({ balance }: { balance: number }) {
  const t = useTranslations("shell");
  return (
    <AppLink
      href={"/billing?tab=credits" as Route}
      className="inline-flex h-8 items-center gap-2 rounded-full border border-border px-3 font-medium text-compact transition-colors duration-120 hover:bg-sunken"
    >
      <Coins className="text-fg-muted" />
      <span aria-hidden>{useFormat().number(balance)}</span>
      <span className="sr-only">{t("credits", { count: balance })}</span>
    </AppLink>
  );
}
