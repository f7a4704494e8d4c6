"use client";

import { Link2Off, MailCheck } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { OutcomeScreen } from "@/components/access/sign-in/outcome-screen";
import { useCleanUrl } from "@/components/access/sign-in/use-clean-url";
import { publicCall } from "@/components/api/public-call";
import { OperationForm, SubmitButton } from "@/components/form/operation-form";
import { useOperationForm } from "@/components/form/use-operation-form";
import { Ltr } from "@/components/ui/bidi";
import { KeyValue } from "@/components/ui/key-value";
import { LinkButton } from "@/components/ui/link-button";
import { PageHeader } from "@/components/ui/page-header";
import { Time } from "@/components/ui/time";

export interface UndoEmailChangeProps {
  token?: string;
  change?: { oldEmail: string; newEmail: string; appliedAt: string };
}

export function UndoEmailChange(props: UndoEmailChangeProps) {
  const t = useTranslations("auth.emailChange.undo");
  useCleanUrl(Boolean(props.token));
  const [{ token, change }] = useState(props);
  const [outcome, setOutcome] = useState<"linkInvalid" | { email: string } | undefined>(
    change ? undefined : "linkInvalid",
  );
  const form = useOperationForm(null, {
    defaultValues: {},
    submit: () => publicCall.verification.undoEmailChange.mutate({ body: { token: token! } }),
    showsSuccessToast: false,
    onSuccess: ({ masked_email }) => setOutcome({ email: masked_email }),
    onError: ({ status }) => {
      if (status !== 400) return false;
      setOutcome("linkInvalid");
      return true;
    },
  });
  if (outcome === "linkInvalid" || !change)
    return (
      <OutcomeScreen
        icon={<Link2Off />}
        tone="warning"
        title={t("deadTitle")}
        text={t("deadText")}
        focusOnMount={Boolean(change)}
      />
    );
  if (outcome)
    return (
      <OutcomeScreen
        icon={<MailCheck />}
        tone="success"
        title={t("doneTitle")}
        text={t.rich("doneText", { email: () => <Ltr>{outcome.email}</Ltr> })}
        focusOnMount
      >
        <LinkButton block variant="primary" href="/forgot-password">
          {t("doneAction")}
        </LinkButton>
      </OutcomeScreen>
    );
  return (
    <>
      <PageHeader title={t("title")} description={t("text")} />
      <div className="mb-6">
        <KeyValue
          items={[
            { key: "old", label: t("old"), value: <Ltr>{change.oldEmail}</Ltr> },
            { key: "new", label: t("new"), value: <Ltr>{change.newEmail}</Ltr> },
            {
              key: "when",
              label: t("when"),
              value: <Time value={change.appliedAt} show="dateTime" showZone />,
            },
          ]}
        />
      </div>
      <OperationForm form={form}>
        <SubmitButton block>{t("submit")}</SubmitButton>
      </OperationForm>
    </>
  );
}
