import { Coins } from "lucide-react";
import { useTranslations } from "next-intl";
import { useFormat } from "@/components/ui/use-format";

/** Rendered on the server: a browser's first number format of a locale takes over 20 ms. */
export function Credits({ left }: { left: number }) {
  const t = useTranslations("shell");
  return (
    <span className="inline-flex h-8 items-center gap-2 rounded-full border border-border px-3 font-medium text-compact">
      <Coins className="text-fg-muted" />
      <span aria-hidden>{useFormat().number(left)}</span>
      <span className="sr-only">{t("credits", { count: left })}</span>
    </span>
  );
}
