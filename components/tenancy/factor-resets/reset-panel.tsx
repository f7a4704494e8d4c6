"use client";

import { useTranslations } from "next-intl";
import { useFormProof, useProofPrompt } from "@/components/accounts/users/use-proof-prompt";
import { api, call } from "@/components/api/client";
import { useErrorText } from "@/components/api/form-error";
import { FormReason } from "@/components/form/form-reason";
import { OperationForm, SubmitButton } from "@/components/form/operation-form";
import { useAction } from "@/components/form/use-action";
import { useOperationForm } from "@/components/form/use-operation-form";
import { Button } from "@/components/ui/button";
import { ErrorState } from "@/components/ui/error-state";
import { SkeletonRows } from "@/components/ui/skeleton";
import { StatusChip } from "@/components/ui/status-chip";
import { Time } from "@/components/ui/time";
import type { Output } from "@/server/core/contract";
import type { listFactorResets } from "@/server/domains/tenancy/factor-resets/contract";

type FactorReset = Output<typeof listFactorResets>["resets"][number];

export function FactorResetPanel({ userId, viewerId }: { userId: number; viewerId: number }) {
  const getErrorText = useErrorText();
  const resets = api.factorResets.list.useQuery({ query: { user_id: String(userId) } });
  if (resets.error) return <ErrorState onRetry={resets.refetch}>{getErrorText(resets.error)}</ErrorState>;
  if (!resets.data) return <SkeletonRows rowCount={3} />;
  const waitingReset = resets.data.resets.find(({ state }) => state === "waiting");
  return waitingReset ? (
    <WaitingReset reset={waitingReset} viewerId={viewerId} />
  ) : (
    <RequestForm userId={userId} />
  );
}

function useRefreshResets() {
  const utils = api.useUtils();
  return () => {
    void utils.factorResets.invalidate();
    // The explanation of the account's sign-in depends on its factors.
    void utils.signIn.invalidate();
  };
}

function RequestForm({ userId }: { userId: number }) {
  const t = useTranslations("admin");
  const refresh = useRefreshResets();
  const form = useOperationForm(() => import("./forms").then((file) => file.factorResetForm), {
    proofPrompt: useFormProof(t("factorReset.title")),
    defaultValues: { reason: "" },
    submit: (body) =>
      call.factorResets.request.mutate({ params: { id: String(userId) }, body: { reason: body.reason } }),
    onSuccess: () => refresh(),
  });
  return (
    <OperationForm form={form} label={t("factorReset.title")}>
      <p className="text-compact text-fg-muted">{t("factorReset.text")}</p>
      <FormReason label={t("access.reason")} hint={t("access.reasonHint")} />
      <SubmitButton variant="danger">{t("factorReset.ask")}</SubmitButton>
    </OperationForm>
  );
}

function WaitingReset({ reset, viewerId }: { reset: FactorReset; viewerId: number }) {
  const t = useTranslations("admin.factorReset");
  const refresh = useRefreshResets();
  const { prove, proofDialog } = useProofPrompt();
  const params = { id: reset.id };
  // Refresh after errors, too: another administrator may have acted first.
  const refreshOptions = { onSuccess: refresh, onError: refresh };
  const approve = useAction(
    () => prove(t("approve"), () => call.factorResets.approve.mutate({ params })),
    refreshOptions,
  );
  const cancel = useAction(() => call.factorResets.cancel.mutate({ params }), refreshOptions);
  const canApprove = reset.approval_due && reset.requested_by?.id !== viewerId;
  return (
    <div className="flex flex-col items-start gap-3 text-sm">
      <StatusChip tone="warning">{t(reset.approval_due ? "approvalDue" : "timeDue")}</StatusChip>
      <p>{t.rich("due", { time: () => <Time value={reset.run_at} /> })}</p>
      <p className="wrap-anywhere text-fg-muted">
        {t("askedBy", { name: reset.requested_by?.name ?? t("someone"), reason: reset.reason })}
      </p>
      {reset.approved_by ? (
        <p className="wrap-anywhere text-fg-muted">{t("approvedBy", { name: reset.approved_by.name })}</p>
      ) : null}
      <div className="flex flex-wrap gap-3">
        {canApprove ? (
          <Button variant="danger" working={approve.isPending} onClick={() => approve.run()}>
            {t("approve")}
          </Button>
        ) : null}
        <Button working={cancel.isPending} onClick={() => cancel.run()}>
          {t("cancel")}
        </Button>
      </div>
      {proofDialog}
    </div>
  );
}
