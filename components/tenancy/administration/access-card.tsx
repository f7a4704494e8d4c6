"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useProofPrompt } from "@/components/accounts/users/use-proof-prompt";
import { api, call } from "@/components/api/client";
import { Card } from "@/components/ui/card";
import { FormAlert } from "@/components/ui/form-alert";
import { ReasonAction } from "./reason-action";
import type { UserDetail } from "./types";

export function AccountAccessCard({ user, viewerId }: { user: UserDetail; viewerId: number }) {
  const t = useTranslations("admin.access");
  const router = useRouter();
  const utils = api.useUtils();
  const { prove, proofDialog } = useProofPrompt();
  const params = { id: String(user.id) };
  const refreshAccount = () => {
    void utils.signIn.invalidate();
    void utils.administration.listUsers.invalidate();
    router.refresh();
  };
  const buildStatusChange = (is_active: boolean) => (reason: string) =>
    prove(t(is_active ? "activate" : "deactivate"), () =>
      call.administration.setStatus.mutate({ params, body: { is_active, reason } }),
    );
  if (user.id === viewerId)
    return (
      <Card title={t("title")}>
        <FormAlert tone="info">{t("self")}</FormAlert>
      </Card>
    );
  return (
    <Card title={t("title")}>
      <div className="flex flex-col gap-6">
        {user.deactivated_by ? <p className="text-sm">{t(`by.${user.deactivated_by}`)}</p> : null}
        {user.is_active ? (
          <>
            <ReasonAction
              label={t("signOut")}
              text={t("signOutText")}
              run={(reason) =>
                prove(t("signOut"), () => call.administration.signOut.mutate({ params, body: { reason } }))
              }
              onDone={refreshAccount}
            />
            <ReasonAction
              danger
              label={t("deactivate")}
              text={t("deactivateText")}
              run={buildStatusChange(false)}
              onDone={refreshAccount}
            />
          </>
        ) : (
          <ReasonAction
            label={t("activate")}
            text={t("activateText")}
            run={buildStatusChange(true)}
            onDone={refreshAccount}
          />
        )}
      </div>
      {proofDialog}
    </Card>
  );
}
