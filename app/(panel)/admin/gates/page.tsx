import { notFound } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { createLoader } from "nuqs/server";
import { ClientMessages } from "@/components/shell/client-messages";
import { SignInExplainer } from "@/components/tenancy/administration/explainer";
import { explainerParsers } from "@/components/tenancy/administration/explainer-view";
import { PageHeader } from "@/components/ui/page-header";
import { getPanelCaller } from "@/server/transports/trpc/caller";
import { metadataWithTitle } from "../../../page-title";
import { requireSignIn } from "../../viewer";

export const generateMetadata = metadataWithTitle("admin.explain.title");

const loadView = createLoader(explainerParsers);

/** For administrators: explains why an account cannot sign in. `?email=` and `?host=` are the query. */
export default async function GatesPage({ searchParams }: PageProps<"/admin/gates">) {
  const [t, { viewer }, { api }, { email, host }] = await Promise.all([
    getTranslations("admin.explain"),
    requireSignIn(),
    getPanelCaller(),
    loadView(searchParams),
  ]);
  if (viewer !== "admin") notFound();
  // The form shows the error for an invalid address.
  const explanation = email
    ? await api.signIn.explainAddress({ query: { email, host: host || null } }).catch(() => undefined)
    : undefined;
  return (
    <>
      <PageHeader title={t("title")} description={t("text")} />
      <ClientMessages namespaces={["admin", "auth", "identity"]}>
        <SignInExplainer initialExplanation={explanation} />
      </ClientMessages>
    </>
  );
}
