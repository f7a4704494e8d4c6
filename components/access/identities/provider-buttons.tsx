"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { LastUsedBadge } from "@/components/access/sign-in/last-used-badge";
import { getRequestedPath } from "@/components/api/local-path";
import { signInWithProvider, waitForNavigation } from "@/components/api/session";
import { Button } from "@/components/ui/button";
import { FormAlert } from "@/components/ui/form-alert";
import type { IdentityProvider } from "@/server/domains/access/identities/contract";
import type { LastSignInMethod } from "@/server/domains/access/sign-in/policy";
import { ProviderLogo } from "./provider-logo";

export interface ProviderButtonsProps {
  providers: readonly IdentityProvider[];
  next?: string;
  /** Relative to the email form. */
  place: "below" | "above";
  lastMethod?: LastSignInMethod;
}

export function ProviderButtons({ providers, next, place, lastMethod }: ProviderButtonsProps) {
  const t = useTranslations();
  const [pendingProvider, setPendingProvider] = useState<IdentityProvider>();
  const [hasFailed, setHasFailed] = useState(false);
  if (providers.length === 0) return null;

  async function startSignIn(provider: IdentityProvider) {
    setHasFailed(false);
    setPendingProvider(provider);
    try {
      await signInWithProvider(provider, getRequestedPath(next));
      await waitForNavigation();
    } catch {
      setPendingProvider(undefined);
      setHasFailed(true);
    }
  }

  const separator = (
    <p className="flex items-center gap-4 text-compact text-fg-muted before:h-px before:flex-1 before:bg-border after:h-px after:flex-1 after:bg-border">
      {t(place === "below" ? "auth.provider.or" : "auth.provider.orEmail")}
    </p>
  );
  return (
    <div className={place === "below" ? "mt-6 flex flex-col gap-5" : "mb-6 flex flex-col gap-5"}>
      {place === "below" ? separator : null}
      {hasFailed ? <FormAlert live>{t("ui.error.network")}</FormAlert> : null}
      <div className="flex flex-col gap-3">
        {providers.map((provider) => (
          <LastUsedBadge key={provider} isLastUsed={lastMethod === provider}>
            <Button
              block
              icon={<ProviderLogo provider={provider} />}
              working={pendingProvider === provider}
              onClick={() => startSignIn(provider)}
            >
              {t(`auth.provider.continue.${provider}`)}
            </Button>
          </LastUsedBadge>
        ))}
      </div>
      {place === "above" ? separator : null}
    </div>
  );
}
