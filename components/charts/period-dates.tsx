"use client";

import { parseAsString, useQueryStates } from "nuqs";
import { PeriodFilter } from "@/components/ui/period-filter";

interface PeriodDatesProps {
  label: string;
  since: string | null;
  until: string | null;
}

const parsers = { since: parseAsString, until: parseAsString, period: parseAsString };

/** Period by dates. It counts as soon as it has both. */
export function PeriodDates({ label, since, until }: PeriodDatesProps) {
  const [, setPeriod] = useQueryStates(parsers, { shallow: false, scroll: false });
  return (
    <PeriodFilter
      label={label}
      period={{ from: since, to: until }}
      onChange={({ from, to }) => void setPeriod({ since: from, until: to, period: null })}
    />
  );
}
