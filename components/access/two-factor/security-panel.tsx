"use client";

import { useFormatter, useTranslations } from "next-intl";
import { api } from "@/components/api/client";
import { Card } from "@/components/ui/card";
import { FormAlert } from "@/components/ui/form-alert";
import type { FactorKind } from "@/server/domains/access/two-factor/contract";
import { AppRow } from "./app-row";
import { EmailRow } from "./email-row";
import { RecoveryRow } from "./recovery-row";
import { SetUpDialog } from "./set-up-dialog";
import { SmsRow } from "./sms-row";
import type { TwoFactor } from "./types";
import { useSetUp } from "./use-set-up";

/** From this number of recovery codes down, a new set is suggested. */
const FEW = 3;

export interface SecurityPanelProps {
  initial: TwoFactor;
  mailVerified: boolean;
  /** False when an identity provider created the account. */
  hasPassword: boolean;
}

/** How safe the account is, in one sentence, and its second factors. */
export function SecurityPanel({ initial, mailVerified, hasPassword }: SecurityPanelProps) {
  const t = useTranslations("security");
  const { data } = api.twoFactor.list.useQuery(undefined, { initialData: initial });
  const setUp = useSetUp();
  const method = (kind: FactorKind) => data.methods.find((each) => each.method === kind);
  const [app, email, sms] = [method("totp"), method("email"), method("sms")];
  const on = data.methods.filter(({ enabled }) => enabled).map((each) => each.method);
  const isLast = (kind: FactorKind) => on.every((each) => each === kind);
  return (
    <>
      <Safety hasPassword={hasPassword} on={on} codes={data.recovery_codes_count} />
      <Card title={t("factors.title")} description={t("factors.text")}>
        <ul className="divide-y divide-border">
          {app ? <AppRow method={app} last={isLast("totp")} setUp={setUp} /> : null}
          {email ? (
            <EmailRow method={email} last={isLast("email")} mailVerified={mailVerified} setUp={setUp} />
          ) : null}
          {sms && (sms.enabled || data.sms_offered) ? (
            <SmsRow method={sms} last={isLast("sms")} setUp={setUp} />
          ) : null}
          <RecoveryRow on={data.enabled} count={data.recovery_codes_count} few={FEW} setUp={setUp} />
        </ul>
      </Card>
      <SetUpDialog setUp={setUp} />
    </>
  );
}

/** The safety line: what protects the account, and what its owner can lose and still sign in. */
function Safety({
  hasPassword,
  on,
  codes,
}: {
  hasPassword: boolean;
  on: readonly FactorKind[];
  codes: number;
}) {
  const t = useTranslations("security.safety");
  const format = useFormatter();
  if (on.length === 0) {
    return (
      <FormAlert tone="warning" title={t(hasPassword ? "none" : "noneProvider")}>
        {t(hasPassword ? "noneText" : "noneProviderText")}
      </FormAlert>
    );
  }
  const few = codes <= FEW;
  const app = on.includes("totp");
  const names = on.map((kind) => t(kind === "totp" ? "app" : kind));
  const means = format.list([t(hasPassword ? "password" : "provider"), ...names], { type: "conjunction" });
  return (
    <FormAlert tone={few ? "warning" : "success"} title={t("line", { means, count: codes })}>
      {t(few ? "few" : app ? "device" : "mailbox")}
    </FormAlert>
  );
}
