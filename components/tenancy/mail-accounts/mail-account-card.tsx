"use client";

import { Send } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { useFormProof, useProofPrompt } from "@/components/accounts/users/use-proof-prompt";
import { useErrorText } from "@/components/api/form-error";
import { FormEmail } from "@/components/form/form-email";
import { FormField } from "@/components/form/form-field";
import { OperationForm, SubmitButton } from "@/components/form/operation-form";
import { useAction } from "@/components/form/use-action";
import { useStoredForm } from "@/components/form/use-stored-form";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { FormAlert } from "@/components/ui/form-alert";
import type { Input } from "@/server/core/contract";
import type {
  MailAccount,
  MailAccountResponse,
  putMailAccount,
} from "@/server/domains/tenancy/mail-accounts/contract";
import { MailAccountStateChip, MailAccountStateText } from "./account-state";
import { LastFailures } from "./last-failures";
import { RemoveMailAccount } from "./remove-mail-account";
import { ServerFields } from "./server-fields";
import { getTestStepsOfError, type MailTestSteps, TestSteps } from "./test-steps";
import { useMailAccount } from "./use-mail-account";

type StoredSettings = NonNullable<Input<typeof putMailAccount>["body"]["expected"]> | null;

const toStoredSettings = (account: MailAccount | null): StoredSettings =>
  account && {
    from_name: account.from_name,
    from_address: account.from_address,
    host: account.host,
    port: account.port,
    secure: account.secure,
    username: account.username,
  };

const toFormValues = (account: StoredSettings) => ({
  from_name: account?.from_name ?? "",
  from_address: account?.from_address ?? "",
  host: account?.host ?? "",
  port: String(account?.port ?? 587),
  encryption: account?.secure ? ("tls" as const) : ("starttls" as const),
  username: account?.username ?? "",
  password: "",
});

interface TestOutcome {
  works: boolean;
  text: string;
  steps?: MailTestSteps;
}

export interface MailAccountCardProps {
  initialData: MailAccountResponse;
  siteId?: number;
}

export function MailAccountCard({ initialData, siteId }: MailAccountCardProps) {
  const t = useTranslations("mailAccount");
  const getErrorText = useErrorText();
  const { account, failures, save, test, remove, refresh } = useMailAccount(siteId, initialData);
  const { prove, proofDialog } = useProofPrompt();
  const [outcome, setOutcome] = useState<TestOutcome>();
  const form = useStoredForm(() => import("./forms").then((file) => file.mailAccountForm), {
    proofPrompt: useFormProof(t("title")),
    stored: toStoredSettings(initialData.mail_account),
    toFormValues,
    submit: ({ encryption, port, ...body }, expected) =>
      save({ ...body, port: Number(port), secure: encryption === "tls", expected }),
    onSuccess: async (response) => {
      setOutcome(undefined);
      form.replaceStoredValues(toStoredSettings(response.mail_account));
      await refresh();
    },
    onStale: refresh,
  });

  const mailTest = useAction(async () => {
    setOutcome(undefined);
    const result = await test().then(
      ({ message, steps }) => ({ works: true, text: message, steps }),
      (error: unknown) => ({ works: false, text: getErrorText(error), steps: getTestStepsOfError(error) }),
    );
    setOutcome(result);
    await refresh();
  });
  const removal = useAction(() => prove(t("remove"), remove), {
    onSuccess: () => {
      setOutcome(undefined);
      form.replaceStoredValues(null);
      return refresh();
    },
  });

  return (
    <Card
      title={t(siteId === undefined ? "title" : "siteTitle")}
      description={t(siteId === undefined ? "text" : "siteText")}
      footer={
        account ? (
          <>
            <RemoveMailAccount onRemove={removal.attempt} />
            <Button
              icon={<Send />}
              working={mailTest.isPending}
              disabled={form.formState.isDirty}
              onClick={mailTest.run}
            >
              {t("test")}
            </Button>
          </>
        ) : undefined
      }
    >
      <div className="flex flex-col gap-6">
        <div className="flex flex-col gap-1.5 text-fg-muted text-sm">
          <p className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
            <MailAccountStateChip account={account} />
            <span>
              <MailAccountStateText account={account} />
            </span>
          </p>
          <p>{t("order")}</p>
          {account ? <LastFailures failures={failures} /> : null}
        </div>
        <OperationForm form={form} label={t("title")}>
          <div className="grid gap-5 sm:grid-cols-2">
            <FormField
              name="from_name"
              label={t("fromName")}
              hint={t("fromNameHint")}
              dir="auto"
              autoComplete="off"
            />
            <FormEmail name="from_address" label={t("fromAddress")} autoComplete="off" />
          </div>
          <ServerFields />
          <div className="grid gap-5 sm:grid-cols-2">
            <FormField
              name="username"
              label={t("username")}
              optional
              autoCapitalize="none"
              autoComplete="off"
              spellCheck={false}
              dir="ltr"
            />
            <FormField
              name="password"
              as="password"
              label={t("password")}
              hint={account?.has_password ? t("passwordKept") : undefined}
              optional={account?.has_password}
              autoComplete="new-password"
            />
          </div>
          <SubmitButton>{t(account ? "save" : "add")}</SubmitButton>
        </OperationForm>
        {outcome ? (
          <FormAlert
            live
            tone={outcome.works ? "success" : "danger"}
            title={t(outcome.works ? "sent" : "failed")}
          >
            <span>{outcome.text}</span>
            {outcome.steps ? <TestSteps steps={outcome.steps} /> : null}
          </FormAlert>
        ) : account && !account.verified_at ? (
          <FormAlert tone="info">{t(form.formState.isDirty ? "saveFirst" : "testNext")}</FormAlert>
        ) : null}
      </div>
      {proofDialog}
    </Card>
  );
}
