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
  /** False when an identity provider created the account. */
  hasPassword: boolean;
}

/** How safe the account is, in one sentence. */
export function SafetyLine({ initial, hasPassword }: SecurityPanelProps) {
  const { data } = api.twoFactor.list.useQuery(undefined, { initialData: initial });
  const on = data.methods.map(({ method }) => method);
  return <Safety hasPassword={hasPassword} on={on} codes={data.recovery_codes_count} />;
}

/** The second factors and recovery codes, one in a row. */
export function SecurityPanel({ initial }: Pick<SecurityPanelProps, "initial">) {
  const t = useTranslations("security");
  const { data } = api.twoFactor.list.useQuery(undefined, { initialData: initial });
  const setUp = useSetUp();
  const shown = data.choices.filter(({ method, enabled }) => method !== "sms" || enabled || data.sms_offered);
  const on = data.methods.map(({ method }) => method);
  const isLast = (kind: FactorKind) => on.every((each) => each === kind);
  return (
    <>
      <Card title={t("factors.title")} description={t("factors.text")}>
        <ul className="divide-y divide-border">
          {shown.map((each) => (
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
  const few = codes <= FEW_RECOVERY_CODES;
  const app = on.includes("totp");
  const names = on.map((kind) => t(kind === "totp" ? "app" : kind));
  const means = format.list([t(hasPassword ? "password" : "provider"), ...names], { type: "conjunction" });
  return (
    <FormAlert tone={few ? "warning" : "success"} title={t("line", { means, count: codes })}>
      {t(few ? "few" : app ? "device" : "mailbox")}
    </FormAlert>
  );
}
