"use client";

import { useFormatter, useTranslations } from "next-intl";
import type { Passkeys } from "@/components/access/passkeys/types";
import { api } from "@/components/api/client";
import { Card } from "@/components/ui/card";
import { FormAlert } from "@/components/ui/form-alert";
import type { FactorKind } from "@/server/domains/access/two-factor/contract";
import { FEW_RECOVERY_CODES } from "@/server/domains/access/two-factor/policy";
import { MethodRow } from "./method-row";
import { RecoveryRow } from "./recovery-row";
import { SetUpDialog } from "./set-up-dialog";
import type { TwoFactorMethods } from "./types";
import { useFactorSetUp } from "./use-set-up";

export interface SecurityPanelProps {
  initial: TwoFactorMethods;
  /** False for an account created by an identity provider. */
  hasPassword: boolean;
}

export function SafetySummary({
  initial,
  passkeys: initialPasskeys,
  hasPassword,
}: SecurityPanelProps & { passkeys: Passkeys }) {
  const { data } = api.twoFactor.list.useQuery(undefined, { initialData: initial });
  const { data: passkeys } = api.passkeys.list.useQuery(undefined, { initialData: initialPasskeys });
  const activeKinds = data.methods.map(({ method }) => method);
  return (
    <SafetyAlert
      hasPassword={hasPassword}
      activeKinds={activeKinds}
      hasPasskey={passkeys.count > 0}
      recoveryCodeCount={data.recovery_codes_count}
    />
  );
}

export function SecurityPanel({ initial }: Pick<SecurityPanelProps, "initial">) {
  const t = useTranslations("security");
  const { data } = api.twoFactor.list.useQuery(undefined, { initialData: initial });
  const setUp = useFactorSetUp();
  const choices = data.choices.filter(
    ({ method, enabled }) => method !== "sms" || enabled || data.sms_offered,
  );
  const activeKinds = data.methods.map(({ method }) => method);
  const isLast = (kind: FactorKind) => activeKinds.every((activeKind) => activeKind === kind);
  return (
    <>
      <Card title={t("factors.title")} description={t("factors.text")}>
        <ul className="divide-y divide-border">
          {choices.map((choice) => (
            <MethodRow key={choice.method} method={choice} isLast={isLast(choice.method)} setUp={setUp} />
          ))}
          <RecoveryRow
            hasTwoFactor={data.enabled}
            count={data.recovery_codes_count}
            warnAtCount={FEW_RECOVERY_CODES}
            setUp={setUp}
          />
        </ul>
      </Card>
      <SetUpDialog setUp={setUp} />
    </>
  );
}

function SafetyAlert({
  hasPassword,
  hasPasskey,
  activeKinds,
  recoveryCodeCount,
}: {
  hasPassword: boolean;
  hasPasskey: boolean;
  activeKinds: readonly FactorKind[];
  recoveryCodeCount: number;
}) {
  const t = useTranslations("security.safety");
  const format = useFormatter();
  if (activeKinds.length === 0 && hasPasskey) {
    return (
      <FormAlert tone="info" title={t("passkey")}>
        {t(hasPassword ? "passkeyText" : "passkeyProviderText")}
      </FormAlert>
    );
  }
  if (activeKinds.length === 0) {
    return (
      <FormAlert tone="warning" title={t(hasPassword ? "none" : "noneProvider")}>
        {t(hasPassword ? "noneText" : "noneProviderText")}
      </FormAlert>
    );
  }
  const hasFewCodes = recoveryCodeCount <= FEW_RECOVERY_CODES;
  const hasApp = activeKinds.includes("totp");
  const factorNames = activeKinds.map((kind) => t(kind === "totp" ? "app" : kind));
  const signInMeans = format.list([t(hasPassword ? "password" : "provider"), ...factorNames], {
    type: "conjunction",
  });
  return (
    <FormAlert
      tone={hasFewCodes ? "warning" : "success"}
      title={t("line", { means: signInMeans, count: recoveryCodeCount })}
    >
      {t(hasFewCodes ? "few" : hasApp ? "device" : "mailbox")}
    </FormAlert>
  );
}
