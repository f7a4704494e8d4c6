import { useTranslations } from "next-intl";
import { Ltr } from "@/components/ui/bidi";
import { CopyButton } from "@/components/ui/copy-button";
import { FormAlert } from "@/components/ui/form-alert";
import { KeyValue } from "@/components/ui/key-value";
import { Money } from "@/components/ui/number";
import type { Bank } from "./types";

export interface BankTransferProps {
  bank: Bank | null;
  amount: number;
  currency: string;
  reference: string;
}

export function BankTransfer({ bank, amount, currency, reference }: BankTransferProps) {
  const t = useTranslations("billing.transfer");
  return (
    <div className="flex flex-col gap-4">
      {bank ? null : <FormAlert tone="info">{t("noBank")}</FormAlert>}
      <KeyValue
        items={[
          ...(bank
            ? [
                {
                  key: "holder",
                  label: t("holder"),
                  value: <bdi>{bank.holder}</bdi>,
                  action: <CopyValueButton text={bank.holder} />,
                },
                {
                  key: "iban",
                  label: t("iban"),
                  value: <Ltr mono>{formatIban(bank.iban)}</Ltr>,
                  action: <CopyValueButton text={bank.iban} />,
                },
                { key: "bank", label: t("bank"), value: <bdi>{bank.bank}</bdi> },
              ]
            : []),
          {
            key: "amount",
            label: t("amount"),
            value: <Money amount={amount} currency={currency} exact />,
            action: <CopyValueButton text={String(amount)} />,
          },
          {
            key: "reference",
            label: t("reference"),
            value: <Ltr mono>{reference}</Ltr>,
            action: <CopyValueButton text={reference} />,
          },
        ]}
      />
    </div>
  );
}

const CopyValueButton = ({ text }: { text: string }) => <CopyButton compact text={text} />;

const formatIban = (iban: string) => iban.replace(/(.{4})(?=.)/g, "$1 ");
