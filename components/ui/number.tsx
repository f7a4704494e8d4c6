import { useFormat } from "./use-format";

/** A number in the reader's format. */
export function Num({ value }: { value: number }) {
  return <span className="tabular-nums">{useFormat().number(value)}</span>;
}

export interface MoneyProps {
  /** In whole units, such as 3999 or 12.5. */
  amount: number;
  currency?: string;
  /** Two digits always, for statements. */
  exact?: boolean;
}

/** An amount with its symbol; never wraps. */
export function Money({ amount, currency = "TRY", exact }: MoneyProps) {
  return (
    <bdi className="whitespace-nowrap tabular-nums">{useFormat().money(amount, currency, { exact })}</bdi>
  );
}
