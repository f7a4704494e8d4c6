import type { Route } from "next";
import { useTranslations } from "next-intl";
import { Card } from "@/components/ui/card";
import { LinkButton } from "@/components/ui/link-button";
import { StatusChip } from "@/components/ui/status-chip";
import { Time } from "@/components/ui/time";
import type { Output } from "@/server/core/contract";
import { LOCALE_LABELS, LOCALES } from "@/server/core/locale";
import type { listLegalTexts } from "@/server/domains/tenancy/legal-texts/contract";
import { useLegalTextName } from "./legal-text-name";

type LegalText = Output<typeof listLegalTexts>["texts"][number];

export function LegalTextsList({ texts }: { texts: readonly LegalText[] }) {
  const t = useTranslations("legalTexts");
  const getTextName = useLegalTextName();
  return (
    <Card flush>
      <ul className="-mt-4 divide-y divide-border">
        {texts.map(({ key, version, published_at, locales }) => {
          const missingLocales = LOCALES.filter((locale) => !locales.includes(locale));
          return (
            <li key={key} className="flex flex-wrap items-center gap-x-4 gap-y-2 px-5 py-4">
              <div className="min-w-48 flex-1">
                <h2 className="wrap-anywhere font-medium text-sm">{getTextName(key)}</h2>
                <p className="wrap-anywhere text-compact text-fg-muted">
                  {published_at ? (
                    <span>
                      <bdi>{t("version", { version })}</bdi> ·{" "}
                      {t.rich("published", { time: () => <Time value={published_at} /> })}
                    </span>
                  ) : (
                    t("shipped")
                  )}
                </p>
                {missingLocales.length > 0 ? (
                  <p className="mt-1.5">
                    <StatusChip tone="warning">
                      {t("fallback", {
                        languages: missingLocales
                          .map((missingLocale) => LOCALE_LABELS[missingLocale])
                          .join(", "),
                      })}
                    </StatusChip>
                  </p>
                ) : null}
              </div>
              <LinkButton
                size="sm"
                href={`/admin/legal-texts/${key}` as Route}
                labelSuffix={getTextName(key)}
              >
                {t("edit")}
              </LinkButton>
            </li>
          );
        })}
      </ul>
    </Card>
  );
}
