import { Ltr } from "@/components/ui/bidi";
import type { Column } from "@/components/ui/data-table";
import { Money } from "@/components/ui/number";
import type { Licence, Subscription } from "./types";

export function getPriceAndReferenceColumns<Row extends Licence | Subscription>(
  t: (key: "amount" | "reference") => string,
): Record<"price" | "reference", Column<Row>> {
  return {
    price: {
      id: "price",
      header: t("amount"),
      align: "end",
      cell: ({ price, currency }) => <Money amount={price} currency={currency} />,
    },
    reference: {
      id: "reference",
      header: t("reference"),
      minTableWidth: "wide",
      cell: ({ reference }) => <Ltr mono>{reference}</Ltr>,
    },
  };
}
