import type { Route } from "next";
import { cookies } from "next/headers";
import { redirect } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { ProviderButtons } from "@/components/access/identities/provider-buttons";
import { toClosedGate } from "@/components/access/sign-in/closed-gate";
import { type ProviderOutcome, SignIn } from "@/components/access/sign-in/sign-in";
import { toLocalPath } from "@/components/api/local-path";
import { FormAlert } from "@/components/ui/form-alert";
import { LinkButton } from "@/components/ui/link-button";
import { TextLink } from "@/components/ui/text-link";
import { env } from "@/server/core/env";
import { listPanelProvidersForHost } from "@/server/domains/access/identities/service/providers";
import { readSignUpMode } from "@/server/domains/access/registration/service/sign-up-mode";
import {
  LAST_SIGN_IN_COOKIE,
  type LastSignInMethod,
  parseLastSignInMethod,
} from "@/server/domains/access/sign-in/policy";
import { isSetupPending } from "@/server/domains/tenancy/administration/service/setup-token";
import { readOutcomeCookie } from "@/server/transports/session/outcome-cookie";
import { getCurrentUser } from "@/server/transports/trpc/caller";
import { getPageHost } from "../../brand";
import { metadataWithTitle } from "../../page-title";
import { AuthFrame, firstValue } from "../frame";
import { DEMO_ACCOUNTS } from "./demo-accounts";

export const generateMetadata = metadataWithTitle("auth.signIn.title");

export default async function SignInPage({ searchParams }: PageProps<"/sign-in">) {
  const { next: nextParam, via, error } = await searchParams;
  const next = firstValue(nextParam);
  if (await getCurrentUser()) redirect(toLocalPath(next) as Route);
  const host = await getPageHost();
  const [t, needsSetup, cookieStore, { mode, isInvited }] = await Promise.all([
    getTranslations("auth"),
    isSetupPending(),
    cookies(),
    readSignUpMode(host),
  ]);
  const lastMethod = parseLastSignInMethod(cookieStore.get(LAST_SIGN_IN_COOKIE)?.value);
  return (
    <AuthFrame
      footer={
        mode === "closed" ? undefined : (
          <p>
            <span>{t(mode === "open" || isInvited ? "signIn.noAccount" : "signIn.invited")}</span>{" "}
            <TextLink href="/sign-up">{t("signIn.signUp")}</TextLink>
          </p>
        )
      }
    >
      {needsSetup ? (
        <div className="mb-6">
          <FormAlert
            tone="info"
            title={t("signIn.setupTitle")}
            action={<LinkButton href="/setup">{t("signIn.setupAction")}</LinkButton>}
          />
        </div>
      ) : null}
      <SignIn
        next={next}
        demoAccounts={env().SEED === "demo" ? DEMO_ACCOUNTS : []}
        demo={!env().production}
        providerButtons={
          <ProviderButtons
            providers={listPanelProvidersForHost(host)}
            next={next}
            place="below"
            lastMethod={lastMethod}
          />
        }
        providerOutcome={
          error
            ? { notice: t("provider.failed") }
            : via
              ? toProviderOutcome(readOutcomeCookie(cookieStore), parseLastSignInMethod(firstValue(via)))
              : undefined
        }
        lastMethod={lastMethod}
      />
    </AuthFrame>
  );
}

function toProviderOutcome(
  outcome: ReturnType<typeof readOutcomeCookie>,
  method: LastSignInMethod | undefined,
): ProviderOutcome | undefined {
  if (outcome?.kind === "second_factor") return { pendingSignIn: { ...outcome, firstMethod: method } };
  if (!outcome) return undefined;
  const { body } = outcome;
  const message = String(body.error ?? body.message ?? "");
  const closedGate = toClosedGate({ body, message });
  return closedGate ? { closedGate } : { notice: message };
}
