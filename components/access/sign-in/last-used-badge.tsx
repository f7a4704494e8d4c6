import { useTranslations } from "next-intl";
import type { ReactNode } from "react";

export function LastUsedBadge({ isLastUsed, children }: { isLastUsed?: boolean; children: ReactNode }) {
  const t = useTranslations("auth.signIn");
  if (!isLastUsed) return children;
  return (
    <div className="relative flex flex-col">
      {children}
      <span className="pointer-events-none absolute end-3 -top-2.5 rounded-full border border-border bg-surface px-2 text-caption text-fg-muted">
        {t("lastUsed")}
      </span>
    </div>
  );
}
