"use client";

import { useTranslations } from "next-intl";
import { useProofPrompt } from "@/components/accounts/users/use-proof-prompt";
import { api, call } from "@/components/api/client";
import {
  type TwoFactorRequirement,
  TwoFactorRequirementRow,
} from "@/components/platform/settings/two-factor-row";
import { ErrorState } from "@/components/ui/error-state";
import { SkeletonRows } from "@/components/ui/skeleton";

export function TeamRequirement() {
  const t = useTranslations("factorDuty.team");
  const utils = api.useUtils();
  const { prove, proofDialog } = useProofPrompt();
  const { data, error, refetch } = api.twoFactor.getTeamDuty.useQuery();
  if (error) return <ErrorState onRetry={() => void refetch()} />;
  if (!data) return <SkeletonRows rowCount={3} />;
  const saveRequirement = (duty: TwoFactorRequirement | null) =>
    prove(t("title"), async () => {
      const response = await call.twoFactor.changeTeamDuty.mutate({
        body: { duty, expected: { duty: data.duty } },
      });
      utils.twoFactor.getTeamDuty.setData(undefined, response);
      return response;
    });
  return (
    <div className="flex flex-col gap-4">
      <p className="text-compact text-fg-muted">{t("text")}</p>
      <p className="text-sm">{t("without", { count: data.without_count })}</p>
      <TwoFactorRequirementRow label={t("label")} requirement={data.duty} onSave={saveRequirement} />
      {proofDialog}
    </div>
  );
}
