import { Ltr } from "@/components/ui/bidi";
import type { Column } from "@/components/ui/data-table";
import { Money } from "@/components/ui/number";
import type { Licence, Subscription } from "./types";

export function getPriceColumn<Row extends Licence | Subscription>(
  t: (key: "amount") => string,
): Column<Row> {
  return {
    id: "price",
    header: t("amount"),
    align: "end",
    cell: ({ price, currency }) => <Money amount={price} currency={currency} />,
  };
}

/** Reference of the bank transfer, as the second line of a cell. */
export function ReferenceLine({ children }: { children: string }) {
  return (
    <span className="text-compact text-fg-muted">
      <Ltr mono>{children}</Ltr>
    </span>
  );
}
