"use client";

import { useTranslations } from "next-intl";
import { getWizardPath } from "@/components/sites/connections/paths";
import { Ltr } from "@/components/ui/bidi";
import { Card } from "@/components/ui/card";
import { Disclosure } from "@/components/ui/disclosure";
import { FormAlert } from "@/components/ui/form-alert";
import { LinkButton } from "@/components/ui/link-button";
import { useFormat } from "@/components/ui/use-format";
import { useNow } from "@/components/ui/use-now";
import { BankTransfer } from "./bank-transfer";
import type { Payable } from "./payable";
import type { Bank, BilledSubscription } from "./types";
import { WithdrawOrder } from "./withdraw-order";

export interface PaymentInstructionsProps {
  payable: Payable;
  bank: Bank | null;
  /** The account's running trial. */
  trial: BilledSubscription | undefined;
  /** The order has just been placed. */
  isNew: boolean;
}

/** Everything for the bank transfer, and what happens after it. */
export function PaymentInstructions({ payable, bank, trial, isNew }: PaymentInstructionsProps) {
  const t = useTranslations("billing.pay");
  const { date: formatDate } = useFormat();
  const now = useNow(60_000) ?? Date.now();
  const { kind, reference } = payable;
  // The reference of an order stays that of its plan: the link may be opened again once it is paid.
  const isEarly =
    payable.kind === "renewal" &&
    Date.parse(payable.firstReminderDay ? `${payable.firstReminderDay}T00:00:00+03:00` : payable.until) > now;
  const date = formatDate(payable.until);
  const sites = payable.kind === "renewal" && payable.sitesUntil ? formatDate(payable.sitesUntil) : date;
  const textKey = payable.kind === "renewal" && payable.isPastDue ? "overdue" : kind;
  const name = () => <bdi>{payable.name}</bdi>;
  const trialUntil = kind === "order" && trial ? (trial.slots_until ?? trial.ends_at) : undefined;
  const instructions = (
    <>
      <Card
        title={t("transfer")}
        description={
          trial && trialUntil && trialUntil < payable.until
            ? t("deadline.trial", { date, end: formatDate(trial.ends_at), until: formatDate(trialUntil) })
            : t.rich(`deadline.${textKey}`, { name, date, sites })
        }
      >
        <BankTransfer {...payable} bank={bank} />
      </Card>
      <Card title={t("next")}>
        <ol className="flex list-decimal flex-col gap-2 ps-5 text-sm">
          <li>{t.rich("step.transfer", { ref: () => <Ltr mono>{reference}</Ltr> })}</li>
          <li>{t("step.recorded")}</li>
          <li>{t.rich(`step.${textKey}`, { name, date, sites })}</li>
          <li>{t("step.invoice")}</li>
        </ol>
      </Card>
    </>
  );
  return (
    <div className="flex flex-col gap-6">
      {isNew ? (
        <FormAlert tone="success" title={t.rich("received", { name })}>
          {t("receivedText")}
        </FormAlert>
      ) : null}
      {isEarly ? (
        <>
          <FormAlert tone="success" title={t.rich("notDue", { name, date })}>
            {t("notDueText")}
          </FormAlert>
          <Disclosure label={t("early")}>
            <div className="mt-4 flex flex-col gap-6">{instructions}</div>
          </Disclosure>
        </>
      ) : (
        instructions
      )}
      <div className="flex flex-wrap gap-2">
        <LinkButton href="/billing">{t("back")}</LinkButton>
        {isNew ? <LinkButton href={getWizardPath()}>{t("channels")}</LinkButton> : null}
        {payable.kind === "order" ? <WithdrawOrder order={{ id: payable.id, plan: payable.name }} /> : null}
      </div>
    </div>
  );
}
