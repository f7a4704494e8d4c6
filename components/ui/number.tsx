"use client";

import { useFormat } from "./use-format";
import { useServerText } from "./use-server-text";

export function FormattedNumber({ value }: { value: number }) {
  const format = useFormat();
  const text = useServerText(`${format.cacheKey},${value}`, () => format.number(value));
  return (
    <span className="tabular-nums" suppressHydrationWarning>
      {text}
    </span>
  );
}

export interface MoneyProps {
  /** In major units, such as 3999 or 12.5. */
  amount: number;
  currency?: string;
  /** Always shows two decimals, for statements and invoices. */
  exact?: boolean;
}

export function Money({ amount, currency = "TRY", exact = false }: MoneyProps) {
  const format = useFormat();
  const text = useServerText([format.cacheKey, amount, currency, exact].join(), () =>
    format.money(amount, currency, { exact }),
  );
  return (
    <bdi className="whitespace-nowrap tabular-nums" suppressHydrationWarning>
      {text}
    </bdi>
  );
}
