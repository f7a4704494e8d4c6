import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { createLoader } from "nuqs/server";
import { listInput } from "@/components/api/list-address";
import { ClientMessages } from "@/components/shell/client-messages";
import { userParsers } from "@/components/tenancy/administration/list-view";
import { UsersTable } from "@/components/tenancy/administration/users-table";
import { WaitingResets } from "@/components/tenancy/factor-resets/waiting-card";
import { LinkButton } from "@/components/ui/link-button";
import { PageHeader } from "@/components/ui/page-header";
import { panel } from "@/server/transports/trpc/caller";
import { signedIn } from "../../../viewer";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("admin");
  return { title: t("title") };
}

const viewOf = createLoader(userParsers);

/** For administrators. */
export default async function UsersPage({ searchParams }: PageProps<"/admin/users">) {
  const [t, refused, { user, viewer }, { api }, view] = await Promise.all([
    getTranslations("admin"),
    getTranslations("signUpRefusals"),
    signedIn(),
    panel(),
    viewOf(searchParams),
  ]);
  if (viewer !== "admin") notFound();
  const input = listInput(view);
  const { resets } = await api.factorResets.list({ query: {} });
  return (
    <>
      <PageHeader
        title={t("title")}
        description={t("text")}
        actions={
          <>
            <LinkButton href="/admin/sign-ups">{refused("link")}</LinkButton>
            <LinkButton href="/admin/gates">{t("explain.link")}</LinkButton>
          </>
        }
      />
      {resets.length > 0 ? (
        <div className="mb-6">
          <WaitingResets resets={resets} />
        </div>
      ) : null}
      <ClientMessages namespaces={["admin", "billingAdmin", "identity", "auth", "savedViews"]}>
        <UsersTable
          first={{ input, data: await api.administration.listUsers({ query: input }) }}
          self={user.id}
        />
      </ClientMessages>
    </>
  );
}
