"use client";

import compile from "icu-minify/compile";
import { NextIntlClientProvider, useLocale, useTimeZone, useTranslations } from "next-intl";
import { useMemo, useState } from "react";
import { SecondStep } from "@/components/access/sign-in/second-step";
import { SignInForm } from "@/components/access/sign-in/sign-in-form";
import type { PendingSignIn } from "@/components/access/sign-in/tab-storage";
import { api } from "@/components/api/client";
import { FormError, useErrorText } from "@/components/api/form-error";
import { getCurrentPath } from "@/components/api/local-path";
import { endSession, openSession, waitForNavigation } from "@/components/api/session";
import { withoutSignInPrompt } from "@/components/api/session-resume";
import { Button } from "@/components/ui/button";
import { ErrorState } from "@/components/ui/error-state";
import { SkeletonRows } from "@/components/ui/skeleton";
import { allowLeaving } from "@/components/ui/unsaved";

export interface SignInAgainProps {
  user: { id: number; email: string };
  /** True after a sign-in to the same account, false when the user declines. */
  onEnd: (hasSignedIn: boolean) => void;
}

export function SignInAgain(props: SignInAgainProps) {
  const locale = useLocale();
  const timeZone = useTimeZone();
  const getErrorText = useErrorText();
  // The panel does not ship the messages of the sign-in page.
  const { data, error, refetch } = api.account.getDictionary.useQuery(
    { params: { locale } },
    { staleTime: Infinity },
  );
  const messages = useMemo(() => data && compileMessages(data.translations), [data]);
  if (error && !data) return <ErrorState onRetry={() => void refetch()}>{getErrorText(error)}</ErrorState>;
  if (!messages) return <SkeletonRows rowCount={4} />;
  return (
    <NextIntlClientProvider locale={locale} timeZone={timeZone} messages={messages as never}>
      <SignInSteps {...props} />
    </NextIntlClientProvider>
  );
}

/** Namespaces of these forms; compiling the whole dictionary takes too long. */
const SIGN_IN_NAMESPACES: ReadonlySet<string> = new Set(["auth", "common", "shell", "ui", "validation"]);

function compileMessages(dictionary: Record<string, unknown>): Record<string, unknown> {
  const compileNode = (node: unknown): unknown =>
    typeof node === "string"
      ? compile(node)
      : Object.fromEntries(Object.entries(node as object).map(([key, inner]) => [key, compileNode(inner)]));
  const namespaces = Object.entries(dictionary).filter(([group]) => SIGN_IN_NAMESPACES.has(group));
  return Object.fromEntries(namespaces.map(([group, texts]) => [group, compileNode(texts)]));
}

const leaveToSignIn = () => void endSession(getCurrentPath());

function SignInSteps({ user, onEnd }: SignInAgainProps) {
  const t = useTranslations();
  const utils = api.useUtils();
  const [pendingSignIn, setPendingSignIn] = useState<PendingSignIn>();
  const [notice, setNotice] = useState<string>();
  async function completeSignIn(token: string) {
    if (!(await openSession(token))) throw new FormError({ message: t("auth.sessionFailed") });
    const profile = await utils.profile.me.fetch(undefined, { staleTime: 0, trpc: withoutSignInPrompt });
    if (profile.user.id === user.id) return onEnd(true);
    // Another account must not submit the typed values: discard them.
    allowLeaving();
    window.location.reload();
    await waitForNavigation();
  }

  return (
    <>
      {pendingSignIn ? (
        <SecondStep
          pendingSignIn={pendingSignIn}
          heading="h3"
          openPanel={completeSignIn}
          onClosedGate={leaveToSignIn}
          onExpired={(reason) => {
            setPendingSignIn(undefined);
            setNotice(reason);
          }}
        />
      ) : (
        <SignInForm
          email={user.email}
          demoAccounts={[]}
          notice={notice}
          openPanel={completeSignIn}
          onClosedGate={leaveToSignIn}
          onSecondStep={setPendingSignIn}
        />
      )}
      <div className="mt-3 flex flex-col gap-1">
        <Button block variant="ghost" onClick={leaveToSignIn}>
          {t("shell.session.page")}
        </Button>
        <Button block variant="ghost" onClick={() => onEnd(false)}>
          {t("shell.session.later")}
        </Button>
      </div>
    </>
  );
}
