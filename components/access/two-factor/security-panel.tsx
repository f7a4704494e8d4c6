"use client";

import { useFormatter, useTranslations } from "next-intl";
import { api } from "@/components/api/client";
import { Card } from "@/components/ui/card";
import { FormAlert } from "@/components/ui/form-alert";
import type { FactorKind } from "@/server/domains/access/two-factor/contract";
import { FEW_RECOVERY_CODES } from "@/server/domains/access/two-factor/policy";
import { MethodRow } from "./method-row";
import { RecoveryRow } from "./recovery-row";
import { SetUpDialog } from "./set-up-dialog";
import type { TwoFactor } from "./types";
import { useSetUp } from "./use-set-up";

export interface SecurityPanelProps {
  initial: TwoFactor;
  /** False for an account created by an identity provider. */
  hasPassword: boolean;
}

export function SafetyLine({ initial, hasPassword }: SecurityPanelProps) {
  const { data } = api.twoFactor.list.useQuery(undefined, { initialData: initial });
  const on = data.methods.map(({ method }) => method);
  return <Safety hasPassword={hasPassword} on={on} codes={data.recovery_codes_count} />;
}

export function SecurityPanel({ initial }: Pick<SecurityPanelProps, "initial">) {
  const t = useTranslations("security");
  const { data } = api.twoFactor.list.useQuery(undefined, { initialData: initial });
  const setUp = useSetUp();
  const choices = data.choices.filter(
    ({ method, enabled }) => method !== "sms" || enabled || data.sms_offered,
  );
  const on = data.methods.map(({ method }) => method);
  const isLast = (kind: FactorKind) => on.every((each) => each === kind);
  return (
    <>
      <Card title={t("factors.title")} description={t("factors.text")}>
        <ul className="divide-y divide-border">
          {choices.map((each) => (
            <MethodRow key={each.method} method={each} last={isLast(each.method)} setUp={setUp} />
          ))}
          <RecoveryRow
            on={data.enabled}
            count={data.recovery_codes_count}
            few={FEW_RECOVERY_CODES}
            setUp={setUp}
          />
        </ul>
      </Card>
      <SetUpDialog setUp={setUp} />
    </>
  );
}

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
  const hasFewCodes = codes <= FEW_RECOVERY_CODES;
  const hasApp = on.includes("totp");
  const names = on.map((kind) => t(kind === "totp" ? "app" : kind));
  const means = format.list([t(hasPassword ? "password" : "provider"), ...names], { type: "conjunction" });
  return (
    <FormAlert tone={hasFewCodes ? "warning" : "success"} title={t("line", { means, count: codes })}>
      {t(hasFewCodes ? "few" : hasApp ? "device" : "mailbox")}
    </FormAlert>
  );
}
