"use client";

import type { Route } from "next";
import { useTranslations } from "next-intl";
import { useProofPrompt } from "@/components/accounts/users/use-proof-prompt";
import { api } from "@/components/api/client";
import { Card } from "@/components/ui/card";
import { LinkButton } from "@/components/ui/link-button";
import { ChangedBy } from "./changed-by";
import { type TwoFactorRequirement, TwoFactorRequirementRow } from "./two-factor-row";
import { getSetting, type Setting } from "./types";

const ACCOUNT_KINDS = ["user", "agent", "reseller", "admin"] as const;
type Requirements = Record<(typeof ACCOUNT_KINDS)[number], TwoFactorRequirement | null>;

export function TwoFactorCard({ settings }: { settings: readonly Setting[] }) {
  const t = useTranslations("factorDuty.card");
  const save = api.settings.change.useMutation();
  const { prove, proofDialog } = useProofPrompt();
  const setting = getSetting(save.data?.settings ?? settings, "two_factor_duty");
  const requirements = setting.value as Requirements;
  const saveRequirement = (kind: keyof Requirements, requirement: TwoFactorRequirement | null) =>
    prove(t("title"), () =>
      save.mutateAsync({
        body: {
          two_factor_duty: { ...requirements, [kind]: requirement },
          expected_updated_at: { two_factor_duty: setting.updated_at },
        },
      }),
    );
  return (
    <Card title={t("title")} description={t("text")} footer={<ChangedBy setting={setting} />}>
      <div className="flex flex-col gap-6">
        {ACCOUNT_KINDS.map((kind) => (
          <TwoFactorRequirementRow
            key={kind}
            label={t(`roles.${kind}`)}
            requirement={requirements[kind]}
            onSave={(requirement) => saveRequirement(kind, requirement)}
          />
        ))}
        <div>
          <LinkButton href={"/admin/users?protected=false" as Route}>{t("without")}</LinkButton>
        </div>
      </div>
      {proofDialog}
    </Card>
  );
}
