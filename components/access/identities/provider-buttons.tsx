"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { LastUsed } from "@/components/access/sign-in/last-used";
import { requestedPath } from "@/components/api/local-path";
import { signInWithProvider, waitForNavigation } from "@/components/api/session";
import { Button } from "@/components/ui/button";
import { FormAlert } from "@/components/ui/form-alert";
import type { IdentityProvider } from "@/server/domains/access/identities/contract";
import type { LastMethod } from "@/server/domains/access/sign-in/policy";
import { ProviderLogo } from "./provider-logo";

export interface ProviderButtonsProps {
  providers: readonly IdentityProvider[];
  next?: string;
  place: "below" | "above";
  last?: LastMethod;
}

export function ProviderButtons({ providers, next, place, last }: ProviderButtonsProps) {
  const t = useTranslations();
  const [leaving, setLeaving] = useState<IdentityProvider>();
  const [failed, setFailed] = useState(false);
  if (providers.length === 0) return null;

  async function leave(provider: IdentityProvider) {
    setFailed(false);
    setLeaving(provider);
    try {
      await signInWithProvider(provider, requestedPath(next));
      await waitForNavigation();
    } catch {
      setLeaving(undefined);
      setFailed(true);
    }
  }

  const or = (
    <p className="flex items-center gap-4 text-compact text-fg-muted before:h-px before:flex-1 before:bg-border after:h-px after:flex-1 after:bg-border">
      {t(place === "below" ? "auth.provider.or" : "auth.provider.orEmail")}
    </p>
  );
  return (
    <div className={place === "below" ? "mt-6 flex flex-col gap-5" : "mb-6 flex flex-col gap-5"}>
      {place === "below" ? or : null}
      {failed ? <FormAlert live>{t("ui.error.network")}</FormAlert> : null}
      <div className="flex flex-col gap-3">
        {providers.map((provider) => (
          <LastUsed key={provider} here={last === provider}>
            <Button
              block
              icon={<ProviderLogo provider={provider} />}
              working={leaving === provider}
              onClick={() => leave(provider)}
            >
              {t(`auth.provider.continue.${provider}`)}
            </Button>
          </LastUsed>
        ))}
      </div>
      {place === "above" ? or : null}
    </div>
  );
}
