import { useTranslations } from "next-intl";
import type { ReactNode } from "react";

export function LastUsedBadge({ isLastUsed, children }: { isLastUsed?: boolean; children: ReactNode }) {
  const t = useTranslations("auth.signIn");
  if (!isLastUsed) return children;
  return (
    <div className="flex flex-col gap-1">
      {children}
      <span className="self-end text-caption text-fg-muted">{t("lastUsed")}</span>
    </div>
  );
}
