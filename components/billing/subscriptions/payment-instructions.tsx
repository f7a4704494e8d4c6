"use client";

import { useTranslations } from "next-intl";
import { Ltr } from "@/components/ui/bidi";
import { Card } from "@/components/ui/card";
import { FormAlert } from "@/components/ui/form-alert";
import { LinkButton } from "@/components/ui/link-button";
import { useFormat } from "@/components/ui/use-format";
import { BankTransfer } from "./bank-transfer";
import type { Payable } from "./payable";
import type { Bank } from "./types";
import { WithdrawOrder } from "./withdraw-order";

export interface PaymentInstructionsProps {
  payable: Payable;
  bank: Bank | null;
  /** The order has just been placed. */
  isNew: boolean;
}

/** Everything for the bank transfer, and what happens after it. */
export function PaymentInstructions({ payable, bank, isNew }: PaymentInstructionsProps) {
  const t = useTranslations("billing.pay");
  const { date: formatDate } = useFormat();
  const { kind, reference } = payable;
  const date = formatDate(payable.until);
  const name = () => <bdi>{payable.name}</bdi>;
  return (
    <div className="flex flex-col gap-6">
      {isNew ? (
        <FormAlert tone="success" title={t.rich("received", { name })}>
          {t("receivedText")}
        </FormAlert>
      ) : null}
      <Card title={t("transfer")} description={t.rich(`deadline.${kind}`, { name, date })}>
        <BankTransfer {...payable} bank={bank} />
      </Card>
      <Card title={t("next")}>
        <ol className="flex list-decimal flex-col gap-2 ps-5 text-sm">
          <li>{t.rich("step.transfer", { ref: () => <Ltr mono>{reference}</Ltr> })}</li>
          <li>{t("step.recorded")}</li>
          <li>
            {t.rich(`step.${kind}`, {
              name,
              date,
              sites: payable.kind === "renewal" && payable.sitesUntil ? formatDate(payable.sitesUntil) : date,
            })}
          </li>
          <li>{t("step.invoice")}</li>
        </ol>
      </Card>
      <div className="flex flex-wrap gap-2">
        <LinkButton href="/billing">{t("back")}</LinkButton>
        {isNew ? <LinkButton href="/connections">{t("channels")}</LinkButton> : null}
        {payable.kind === "order" ? <WithdrawOrder order={{ id: payable.id, plan: payable.name }} /> : null}
      </div>
    </div>
  );
}
