import type { Route } from "next";
import { cookies } from "next/headers";
import { redirect } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { ProviderButtons } from "@/components/access/identities/provider-buttons";
import { closedGateOf } from "@/components/access/sign-in/closed-gate";
import { type ProviderOutcome, SignIn } from "@/components/access/sign-in/sign-in";
import { localPath } from "@/components/api/local-path";
import { FormAlert } from "@/components/ui/form-alert";
import { LinkButton } from "@/components/ui/link-button";
import { TextLink } from "@/components/ui/text-link";
import { env } from "@/server/core/env";
import { panelProvidersAt } from "@/server/domains/access/identities/service/providers";
import { signUpsAt } from "@/server/domains/access/registration/service/sign-up-mode";
import { LAST_METHOD_COOKIE, type LastMethod, parseLastMethod } from "@/server/domains/access/sign-in/policy";
import { isSetupPending } from "@/server/domains/tenancy/administration/service/token";
import { readOutcome } from "@/server/transports/session/outcome";
import { currentUser } from "@/server/transports/trpc/caller";
import { hostOfPage } from "../../brand";
import { pageTitle } from "../../page-title";
import { AuthFrame, firstValue } from "../frame";
import { DEMO_ACCOUNTS } from "./demo-accounts";

export const generateMetadata = pageTitle("auth.signIn.title");

export default async function SignInPage({ searchParams }: PageProps<"/sign-in">) {
  const { next: requested, via, error } = await searchParams;
  const next = firstValue(requested);
  if (await currentUser()) redirect(localPath(next) as Route);
  const host = await hostOfPage();
  const [t, needsSetup, jar, { mode, invited }] = await Promise.all([
    getTranslations("auth"),
    isSetupPending(),
    cookies(),
    signUpsAt(host),
  ]);
  const last = parseLastMethod(jar.get(LAST_METHOD_COOKIE)?.value);
  return (
    <AuthFrame
      footer={
        mode === "closed" ? undefined : (
          <p>
            <span>{t(mode === "open" || invited ? "signIn.noAccount" : "signIn.invited")}</span>{" "}
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
        accounts={env().SEED === "demo" ? DEMO_ACCOUNTS : []}
        demo={!env().production}
        ways={<ProviderButtons providers={panelProvidersAt(host)} next={next} place="below" last={last} />}
        arrival={
          error
            ? { notice: t("provider.failed") }
            : via
              ? arrival(readOutcome(jar), parseLastMethod(firstValue(via)))
              : undefined
        }
        last={last}
      />
    </AuthFrame>
  );
}

/** Outcome of a provider's sign-in that did not open the panel. */
function arrival(
  outcome: ReturnType<typeof readOutcome>,
  way: LastMethod | undefined,
): ProviderOutcome | undefined {
  if (outcome?.kind === "second_factor") return { waiting: { ...outcome, way } };
  if (!outcome) return undefined;
  const { body } = outcome;
  const message = String(body.error ?? body.message ?? "");
  const closedGate = closedGateOf({ body, message });
  return closedGate ? { closedGate } : { notice: message };
}
