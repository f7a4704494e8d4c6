import { clsx } from "clsx";
import type { Route } from "next";
import { useTranslations } from "next-intl";
import { AppLink } from "@/components/ui/app-link";
import { NEXT_PERIODS, PAST_PERIODS, type SeriesPeriod } from "@/server/core/series";
import { PeriodDates } from "./period-dates";
import type { SeriesView } from "./series-view";

interface PeriodPickerProps {
  path: string;
  /** All parameters of the address: those of lists on the same page stay. */
  searchParams: Record<string, string | string[] | undefined>;
  view: SeriesView;
  periods: readonly SeriesPeriod[];
  /** A period of one's own makes sense; false for data that is kept by month. */
  hasDates?: boolean;
  /** False for periods ahead, which have no period before to compare with. */
  hasComparison?: boolean;
}

/** Links that choose the period of all charts on a page. */
export function PeriodPicker({
  path,
  searchParams,
  view,
  periods,
  hasDates = true,
  hasComparison = true,
}: PeriodPickerProps) {
  const t = useTranslations("charts");
  const toHref = (changes: Record<string, string | undefined>) => {
    const kept = Object.entries({ ...searchParams, ...changes }).filter(
      ([, value]) => typeof value === "string",
    );
    const query = new URLSearchParams(kept as [string, string][]).toString();
    return (query ? `${path}?${query}` : path) as Route;
  };
  return (
    <nav aria-label={t("period.label")} className="flex flex-wrap items-center gap-x-4 gap-y-2 print:hidden">
      <ul className="flex flex-wrap gap-1">
        {byLength(periods).map((period) => (
          <li key={period}>
            <PickerLink
              href={toHref({ period, since: undefined, until: undefined })}
              isCurrent={view.period === period}
            >
              {t(`period.${period}`)}
            </PickerLink>
          </li>
        ))}
      </ul>
      {hasDates ? <PeriodDates label={t("period.dates")} since={view.since} until={view.until} /> : null}
      {hasComparison ? (
        <PickerLink
          href={toHref({ compare: view.isCompared ? "none" : undefined })}
          isCurrent={view.isCompared}
        >
          {t("compare")}
        </PickerLink>
      ) : null}
    </nav>
  );
}

const byLength = (periods: readonly SeriesPeriod[]) => {
  const order: readonly SeriesPeriod[] = [...PAST_PERIODS, ...NEXT_PERIODS];
  return periods.toSorted((one, other) => order.indexOf(one) - order.indexOf(other));
};

interface PickerLinkProps {
  href: Route;
  isCurrent: boolean;
  children: string;
}

function PickerLink({ href, isCurrent, children }: PickerLinkProps) {
  return (
    <AppLink
      href={href}
      scroll={false}
      aria-current={isCurrent ? "true" : undefined}
      className={clsx(
        "inline-flex min-h-control-small items-center rounded-control border px-3 text-sm transition-colors duration-120",
        isCurrent
          ? "border-primary-mark bg-primary-soft font-medium text-primary-text"
          : "border-transparent text-fg-muted hover:bg-sunken hover:text-fg",
      )}
    >
      {children}
    </AppLink>
  );
}
