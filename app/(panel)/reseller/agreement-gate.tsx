import type { ReactNode } from "react";
import { ClientMessages } from "@/components/shell/client-messages";
import { AgreementPanel } from "@/components/tenancy/legal-texts/agreement-panel";
import { getPanelCaller } from "@/server/transports/trpc/caller";
import { requireSignIn } from "../viewer";

/** Returns the agreement to show instead of a reseller's page, or undefined if it is validly signed. */
export async function renderAgreementGate(): Promise<ReactNode | undefined> {
  const [{ user }, { api }] = await Promise.all([requireSignIn(), getPanelCaller()]);
  const initial = await api.legalTexts.getAgreement();
  if (initial.agreement.signed) return undefined;
  return (
    <ClientMessages namespaces={["agreement", "identity", "auth"]}>
      <AgreementPanel initialData={initial} accountName={user.name} blocksPage />
    </ClientMessages>
  );
}
