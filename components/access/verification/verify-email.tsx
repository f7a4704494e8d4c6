"use client";

import { Link2Off, Mail, MailCheck, MailQuestion } from "lucide-react";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useState, useTransition } from "react";
import { EmailForm } from "@/components/access/sign-in/email-form";
import { OutcomeScreen } from "@/components/access/sign-in/outcome-screen";
import { renderStrongAddress } from "@/components/access/sign-in/strong-address";
import { useCleanUrl } from "@/components/access/sign-in/use-clean-url";
import { publicCall } from "@/components/api/public-call";
import { OperationForm, SubmitButton } from "@/components/form/operation-form";
import { useOperationForm } from "@/components/form/use-operation-form";
import { Button } from "@/components/ui/button";
import { LinkButton } from "@/components/ui/link-button";
import { PageHeader } from "@/components/ui/page-header";
import { VERIFICATION_HOURS } from "@/server/domains/access/verification/policy";
import { CodeForm } from "./code-form";
import { EmailVerified } from "./email-verified";
import { WaitForMail } from "./wait-for-mail";

export interface VerifyEmailProps {
  /** From the mailed link. Opening the page does not consume it; the button does. */
  token?: string;
  email?: string;
  signedInAccount?: { email: string; verified: boolean };
  demo: boolean;
}

/** `alreadyVerified`: the signed-in account needs no link. `linkReused`: the link was used before. */
type Phase =
  | "link"
  | "code"
  | "alreadyVerified"
  | "requestLink"
  | "linkInvalid"
  | "sent"
  | "verified"
  | "linkReused";

export function VerifyEmail(props: VerifyEmailProps) {
  const { signedInAccount, demo } = props;
  const t = useTranslations("auth.verify");
  useCleanUrl(Boolean(props.token));
  const [token] = useState(props.token);
  const [email, setEmail] = useState(props.email ?? signedInAccount?.email);
  const [phase, setPhase] = useState<Phase>(() => {
    if (props.token) return "link";
    return signedInAccount?.verified && !props.email ? "alreadyVerified" : "code";
  });
  const router = useRouter();
  const [, startTransition] = useTransition();
  // In one transition, so that the result appears together with the refreshed account.
  const showResult = (phase: "verified" | "linkReused") =>
    startTransition(() => {
      router.refresh();
      setPhase(phase);
    });
  const resultCallbacks = {
    onVerified: () => showResult("verified"),
    onLinkReused: () => showResult("linkReused"),
  };

  if (phase === "verified" || phase === "linkReused")
    return <EmailVerified signedInAccount={signedInAccount} isLinkReused={phase === "linkReused"} />;
  if (phase === "link" && token)
    return (
      <LinkForm
        token={token}
        {...resultCallbacks}
        onInvalidLink={() => setPhase(signedInAccount?.verified ? "alreadyVerified" : "linkInvalid")}
        onUseCode={() => setPhase("code")}
      />
    );
  if (phase === "linkInvalid" || phase === "requestLink")
    return (
      <NewLinkForm
        isLinkInvalid={phase === "linkInvalid"}
        email={email}
        onSent={(address) => {
          setEmail(address);
          setPhase("sent");
        }}
      />
    );
  if (phase === "alreadyVerified" && signedInAccount)
    return (
      <OutcomeScreen
        icon={<MailCheck />}
        tone="success"
        title={t("alreadyTitle")}
        text={t.rich("alreadyText", { email: signedInAccount.email, b: renderStrongAddress })}
      >
        <LinkButton block variant="primary" href="/dashboard">
          {t("toDashboard")}
        </LinkButton>
      </OutcomeScreen>
    );
  if (email)
    return (
      <WaitForMail
        key={phase}
        email={email}
        title={t("waitTitle")}
        // Others get a text that does not reveal whether the account exists.
        text={t.rich(signedInAccount && phase !== "sent" ? "waitText" : "sentText", {
          email,
          b: renderStrongAddress,
        })}
        demo={demo}
        focusOnMount={phase === "sent"}
        justSent={phase === "sent"}
        {...resultCallbacks}
      />
    );
  return (
    <OutcomeScreen icon={<MailQuestion />} title={t("title")} text={t("codeText")}>
      <CodeForm {...resultCallbacks} />
      <Button block variant="ghost" onClick={() => setPhase("requestLink")}>
        {t("sendNew")}
      </Button>
    </OutcomeScreen>
  );
}

interface LinkFormProps {
  token: string;
  onVerified: () => void;
  onLinkReused: () => void;
  onInvalidLink: () => void;
  onUseCode: () => void;
}

function LinkForm({ token, onVerified, onLinkReused, onInvalidLink, onUseCode }: LinkFormProps) {
  const t = useTranslations("auth.verify");
  const form = useOperationForm(null, {
    defaultValues: {},
    submit: () => publicCall.verification.verify.mutate({ body: { token } }),
    showsSuccessToast: false,
    onSuccess: onVerified,
    onError: (error) => {
      if (error.status !== 400 && error.status !== 422) return false;
      if (error.code === "verification_repeated") onLinkReused();
      else onInvalidLink();
      return true;
    },
  });
  return (
    <>
      <PageHeader title={t("title")} description={t("linkText")} />
      <OperationForm form={form}>
        <SubmitButton block>{t("confirm")}</SubmitButton>
        <Button block variant="ghost" onClick={onUseCode}>
          {t("useCode")}
        </Button>
      </OperationForm>
    </>
  );
}

interface NewLinkFormProps {
  isLinkInvalid: boolean;
  email?: string;
  onSent: (email: string) => void;
}

function NewLinkForm({ isLinkInvalid, email, onSent }: NewLinkFormProps) {
  const t = useTranslations("auth.verify");
  const texts = isLinkInvalid
    ? { title: t("deadTitle"), text: t("deadText", { hours: VERIFICATION_HOURS }) }
    : { title: t("sendNew"), text: t("askText") };
  return (
    <OutcomeScreen
      icon={isLinkInvalid ? <Link2Off /> : <Mail />}
      tone={isLinkInvalid ? "warning" : "neutral"}
      {...texts}
      focusOnMount
    >
      <EmailForm
        operation={() =>
          import("@/server/domains/access/verification/contract").then((file) => file.resendVerification)
        }
        email={email}
        submitLabel={t("sendNew")}
        requestMail={(address) => publicCall.verification.resend.mutate({ body: { email: address } })}
        onSent={onSent}
      />
    </OutcomeScreen>
  );
}
