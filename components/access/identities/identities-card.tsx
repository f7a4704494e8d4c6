"use client";

import { useTranslations } from "next-intl";
import { useProofPrompt } from "@/components/accounts/users/use-proof-prompt";
import { api, call } from "@/components/api/client";
import { signInWithProvider, waitForNavigation } from "@/components/api/session";
import { useAction } from "@/components/form/use-action";
import { AlertDialog } from "@/components/ui/alert-dialog";
import { Ltr } from "@/components/ui/bidi";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { FormAlert } from "@/components/ui/form-alert";
import { Time } from "@/components/ui/time";
import type { Output } from "@/server/core/contract";
import type { IdentityProvider, listIdentities } from "@/server/domains/access/identities/contract";
import { ProviderLogo } from "./provider-logo";

type Identities = Output<typeof listIdentities>;

export interface IdentitiesCardProps {
  initial: Identities;
  providers: readonly IdentityProvider[];
  outcome?: { ok: boolean; text: string };
}

/** Hidden when no provider is configured and no identity is connected. */
export function IdentitiesCard({ initial, providers, outcome }: IdentitiesCardProps) {
  const t = useTranslations("security.identities");
  const { data } = api.identities.list.useQuery(undefined, { initialData: initial });
  const unusedProviders = providers.filter((provider) =>
    data.data.every((connectedIdentity) => connectedIdentity.provider !== provider),
  );
  if (providers.length === 0 && data.data.length === 0) return null;
  const isLast = data.data.length === 1 && !data.other_way_in;
  return (
    <Card title={t("title")} description={t("text")}>
      {outcome ? (
        <div className="mb-5">
          <FormAlert live tone={outcome.ok ? "success" : "danger"}>
            {outcome.text}
          </FormAlert>
        </div>
      ) : null}
      <ul className="divide-y divide-border">
        {data.data.map((identity) => (
          <IdentityRow key={identity.id} identity={identity} isLast={isLast} />
        ))}
        {unusedProviders.map((provider) => (
          <UnusedProviderRow key={provider} provider={provider} />
        ))}
      </ul>
    </Card>
  );
}

const rowStyle = "flex items-center gap-4 py-3.5 first:pt-0 last:pb-0";

function IdentityRow({ identity, isLast }: { identity: Identities["data"][number]; isLast: boolean }) {
  const t = useTranslations();
  const utils = api.useUtils();
  const { prove, proofDialog } = useProofPrompt();
  const providerName = t(`auth.provider.${identity.provider}`);

  const remove = useAction(
    () =>
      prove(t("security.identities.remove", { name: providerName }), () =>
        call.identities.remove.mutate({ params: { id: String(identity.id) } }),
      ),
    { onSuccess: () => utils.identities.list.invalidate() },
  );

  return (
    <li className={rowStyle}>
      <ProviderLogo provider={identity.provider} />
      <div className="min-w-0 flex-1">
        <p className="font-medium text-sm">{providerName}</p>
        <p className="mt-0.5 flex flex-wrap gap-x-3 text-fg-muted text-sm">
          <span className="wrap-anywhere">
            <Ltr>{identity.email}</Ltr>
          </span>
          <Time value={identity.last_used_at ?? identity.created_at} />
        </p>
        {isLast ? <p className="mt-1 text-compact text-fg-muted">{t("security.identities.last")}</p> : null}
      </div>
      {isLast ? null : (
        <AlertDialog
          trigger={
            <Button size="sm" labelSuffix={providerName}>
              {t("security.identities.removeShort")}
            </Button>
          }
          title={t("security.identities.removeTitle", { name: providerName })}
          description={t("security.identities.removeText", { name: providerName })}
          confirmLabel={t("security.identities.removeShort")}
          onConfirm={remove.attempt}
        >
          {proofDialog}
        </AlertDialog>
      )}
    </li>
  );
}

function UnusedProviderRow({ provider }: { provider: IdentityProvider }) {
  const t = useTranslations();
  const { prove, proofDialog } = useProofPrompt();
  const providerName = t(`auth.provider.${provider}`);
  const label = t("security.identities.connect", { name: providerName });

  const connect = useAction(() => prove(label, () => call.identities.startConnecting.mutate()), {
    successText: false,
    onSuccess: async () => {
      await signInWithProvider(provider, "/settings/security");
      await waitForNavigation();
    },
  });

  return (
    <li className={rowStyle}>
      <ProviderLogo provider={provider} />
      <div className="min-w-0 flex-1">
        <p className="font-medium text-sm">{providerName}</p>
        <p className="mt-0.5 text-fg-muted text-sm">{t("security.identities.unused")}</p>
      </div>
      <Button size="sm" labelSuffix={providerName} working={connect.isPending} onClick={connect.run}>
        {t("security.identities.connectShort")}
      </Button>
      {proofDialog}
    </li>
  );
}
