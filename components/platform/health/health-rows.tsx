import { useTranslations } from "next-intl";
import { Ltr } from "@/components/ui/bidi";
import { StatusChip } from "@/components/ui/status-chip";
import { Time } from "@/components/ui/time";
import { HEALTH_TONES } from "./severity";
import type { HealthRow } from "./types";

/** Returns a function for the translated name of a part; its key if there is no translation. */
export function useRowNameLookup(): (name: string) => string {
  const t = useTranslations("health");
  return (name) => {
    const key = `rows.${name}` as "rows.database";
    return t.has(key) ? t(key) : name;
  };
}

export function HealthRows({ rows, label }: { rows: readonly HealthRow[]; label: string }) {
  const t = useTranslations("health");
  const getRowName = useRowNameLookup();
  return (
    <ul aria-label={label} className="divide-y divide-border">
      {rows.map(({ name, light, value, since, code, fix }) => (
        <li key={name} className="flex flex-wrap items-start gap-x-4 gap-y-1.5 px-5 py-3.5">
          <div className="min-w-40 flex-1">
            <p className="font-medium text-sm">{getRowName(name)}</p>
            <p className="wrap-anywhere text-compact text-fg-muted">
              <bdi>{value}</bdi>
              {code ? (
                <span className="block">
                  <Ltr mono>{`(${code})`}</Ltr>
                </span>
              ) : null}
              {since ? (
                <span className="block">
                  {t.rich("since", { time: () => <Time value={since} show="dateTime" /> })}
                </span>
              ) : null}
            </p>
          </div>
          <StatusChip tone={HEALTH_TONES[light]}>{t(`light.${light}`)}</StatusChip>
          {fix ? (
            <div className="w-full">
              <p className="wrap-anywhere max-w-[75ch] text-sm">
                <span className="font-medium">{t("fix")}</span> <bdi>{fix}</bdi>
              </p>
            </div>
          ) : null}
        </li>
      ))}
    </ul>
  );
}
