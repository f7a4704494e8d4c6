import { Coins } from "lucide-react";
import { useTranslations } from "next-intl";
import { useFormat } from "@/components/ui/use-format";

/** Render it on the server: the first number format of a locale takes a browser over 20 ms. */
export function Credits({ balance }: { balance: number }) {
  const t = useTranslations("shell");
  return (
    <span className="inline-flex h-8 items-center gap-2 rounded-full border border-border px-3 font-medium text-compact">
      <Coins className="text-fg-muted" />
      <span aria-hidden>{useFormat().number(balance)}</span>
      <span className="sr-only">{t("credits", { count: balance })}</span>
    </span>
  );
}
