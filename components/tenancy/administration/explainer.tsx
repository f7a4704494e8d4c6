"use client";

import { useTranslations } from "next-intl";
import { useQueryStates } from "nuqs";
import { api } from "@/components/api/client";
import { useErrorText } from "@/components/api/form-error";
import { getAccountPath } from "@/components/billing/records/admin-paths";
import { FormEmail } from "@/components/form/form-email";
import { FormField } from "@/components/form/form-field";
import { OperationForm, SubmitButton } from "@/components/form/operation-form";
import { useOperationForm } from "@/components/form/use-operation-form";
import { Ltr } from "@/components/ui/bidi";
import { Card } from "@/components/ui/card";
import { ErrorState } from "@/components/ui/error-state";
import { FormAlert } from "@/components/ui/form-alert";
import { LinkButton } from "@/components/ui/link-button";
import { PersonName } from "@/components/ui/person-name";
import { SkeletonRows } from "@/components/ui/skeleton";
import { explainerParsers } from "./explainer-view";
import { GateList } from "./gates";
import type { Explanation } from "./types";

export function SignInExplainer({ initialExplanation }: { initialExplanation?: Explanation }) {
  const t = useTranslations("admin.explain");
  const getErrorText = useErrorText();
  const utils = api.useUtils();
  const [query, setQuery] = useQueryStates(explainerParsers, { history: "push" });
  const explanation = api.signIn.explainAddress.useQuery(
    { query: { email: query.email, host: query.host || null } },
    {
      enabled: query.email !== "",
      initialData: initialExplanation,
      initialDataUpdatedAt: initialExplanation ? undefined : 0,
    },
  );
  const form = useOperationForm(() => import("./forms").then((file) => file.explainerForm), {
    defaultValues: query,
    submit: ({ email, host }) => setQuery({ email, host: host ?? "" }),
    showsSuccessToast: false,
    onSuccess: () => void utils.signIn.explainAddress.invalidate(),
  });
  return (
    <div className="grid items-start gap-6 lg:grid-cols-2">
      <Card>
        <OperationForm form={form} label={t("title")}>
          <FormEmail name="email" label={t("email")} autoComplete="off" />
          <FormField
            name="host"
            label={t("host")}
            hint={t("hostHint")}
            optional
            dir="ltr"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
          />
          <SubmitButton>{t("submit")}</SubmitButton>
        </OperationForm>
      </Card>
      <div aria-live="polite" className="min-w-0">
        {query.email === "" ? null : explanation.error ? (
          <ErrorState onRetry={() => void explanation.refetch()}>
            {getErrorText(explanation.error)}
          </ErrorState>
        ) : explanation.data ? (
          <ExplanationCard explanation={explanation.data} email={query.email} />
        ) : (
          <SkeletonRows rowCount={7} />
        )}
      </div>
    </div>
  );
}

function ExplanationCard({ explanation, email }: { explanation: Explanation; email: string }) {
  const t = useTranslations("admin");
  const { user, gates, stopped_by: closedGate } = explanation;
  if (!user)
    return (
      <Card title={<Ltr>{email}</Ltr>}>
        <FormAlert tone="info">{t("explain.unknown")}</FormAlert>
      </Card>
    );
  const inactiveAccounts = [user.parent, user.reseller].filter((account) => account && !account.is_active);
  return (
    <Card
      title={
        <PersonName email={user.email}>
          <bdi>{user.name}</bdi>
        </PersonName>
      }
    >
      <div className="flex flex-col gap-4">
        <p className="text-sm">{t(user.is_agent_only ? "role.agent" : `role.${user.role}`)}</p>
        <FormAlert tone={closedGate ? "warning" : "success"}>
          {closedGate ? t(`explain.stoppedBy.${closedGate}`) : t("explain.open")}
        </FormAlert>
        {inactiveAccounts.map((account) => (
          <p key={account!.id} className="text-compact text-fg-muted">
            <bdi>{t("explain.inactive", { name: account!.name })}</bdi> {t("explain.above")}
          </p>
        ))}
        <GateList id={user.id} gates={gates} />
        <div>
          <LinkButton href={getAccountPath(user.id)}>{t("user.open")}</LinkButton>
        </div>
      </div>
    </Card>
  );
}
