"use client";

import { Link2Off, UserX } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { NewPasswordField } from "@/components/access/sign-in/new-password-field";
import { OutcomeScreen } from "@/components/access/sign-in/outcome-screen";
import { useCleanUrl } from "@/components/access/sign-in/use-clean-url";
import { useOpenPanel } from "@/components/access/sign-in/use-open-panel";
import { ConsentFields } from "@/components/accounts/consents/consent-fields";
import { publicCall } from "@/components/api/public-call";
import { FormField } from "@/components/form/form-field";
import { OperationForm, SubmitButton } from "@/components/form/operation-form";
import { useOperationForm } from "@/components/form/use-operation-form";
import { LinkButton } from "@/components/ui/link-button";
import { PageHeader } from "@/components/ui/page-header";
import { getBrowserZone } from "@/components/ui/use-browser-zone";
import { CONSENTS, type ConsentKey } from "@/server/domains/accounts/consents/policy";
import type { OpenedInvitation } from "./types";

const NO_CONSENTS = Object.fromEntries(CONSENTS.map((key) => [key, false])) as Record<ConsentKey, boolean>;

const KIND_TEXT_KEYS = { agent: "agent", sub_user: "subUser", customer: "customer" } as const;

export interface AcceptInvitationProps {
  token?: string;
  invitation?: OpenedInvitation;
}

export function AcceptInvitation(props: AcceptInvitationProps) {
  const t = useTranslations("auth.invitation");
  useCleanUrl(Boolean(props.token));
  // Keep the token: the URL is cleaned right after the first render.
  const [{ token, invitation }] = useState(props);
  const [failure, setFailure] = useState<"dead" | "taken" | undefined>(invitation ? undefined : "dead");
  if (failure || !token || !invitation) {
    const isTaken = failure === "taken";
    return (
      <OutcomeScreen
        icon={isTaken ? <UserX /> : <Link2Off />}
        tone="warning"
        title={t(isTaken ? "takenTitle" : "deadTitle")}
        text={t(isTaken ? "takenText" : "deadText")}
        focusOnMount={Boolean(invitation)}
      >
        {isTaken ? (
          <LinkButton block variant="primary" href="/sign-in">
            {t("takenAction")}
          </LinkButton>
        ) : null}
      </OutcomeScreen>
    );
  }
  return <AcceptForm token={token} invitation={invitation} onFailure={setFailure} />;
}

function AcceptForm({
  token,
  invitation,
  onFailure,
}: {
  token: string;
  invitation: OpenedInvitation;
  onFailure: (outcome: "dead" | "taken") => void;
}) {
  const t = useTranslations("auth");
  const openPanel = useOpenPanel();
  const { inviter, site, email, kind } = invitation;
  const form = useOperationForm(() => import("./forms").then((file) => file.acceptForm), {
    defaultValues: { name: invitation.name, password: "", consents: NO_CONSENTS },
    submit: async ({ password, ...values }) => {
      const passwords = { password, password_confirmation: password };
      const body = { ...values, ...passwords, token, timezone: getBrowserZone() };
      const result = await publicCall.team.accept.mutate({ body });
      if ("token" in result) await openPanel(result.token);
    },
    onError: ({ status, body }) => {
      const isFailure = (body as { success?: unknown } | undefined)?.success === false;
      if (status === 400) onFailure("dead");
      else if (status === 422 && isFailure && !("missing_consents" in (body as object))) onFailure("taken");
      else return false;
      return true;
    },
  });
  return (
    <>
      <PageHeader
        title={t("invitation.title")}
        description={t.rich(`invitation.${KIND_TEXT_KEYS[kind]}`, {
          inviter: () => <bdi className="font-medium text-fg">{inviter}</bdi>,
          site: () => <bdi className="font-medium text-fg">{site?.name}</bdi>,
        })}
      />
      <OperationForm form={form}>
        <FormField name="name" label={t("signUp.name")} autoComplete="name" autoCapitalize="words" />
        <p className="text-fg-muted text-sm">
          {t.rich("invitation.address", { email: () => <bdi className="text-fg">{email}</bdi> })}
        </p>
        {/* For password managers: the account of the new password. */}
        <input type="email" name="username" autoComplete="username" value={email} readOnly hidden />
        <NewPasswordField label={t("signUp.password")} email={email} />
        <ConsentFields />
        <SubmitButton block>{t("invitation.submit")}</SubmitButton>
      </OperationForm>
    </>
  );
}
