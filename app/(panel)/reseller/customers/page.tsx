import { FileUp } from "lucide-react";
import type { Metadata, Route } from "next";
import { notFound } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { createLoader } from "nuqs/server";
import { TeamDutyButton } from "@/components/access/factor-duty/team-duty-button";
import { listInput } from "@/components/api/list-address";
import { ClientMessages } from "@/components/shell/client-messages";
import { CustomersTable } from "@/components/tenancy/customers/customers-table";
import { InvitationsCard } from "@/components/tenancy/customers/invitations-card";
import { InviteCustomer } from "@/components/tenancy/customers/invite-customer";
import { customerParsers, customerQuery } from "@/components/tenancy/customers/list-view";
import { CodeBlock } from "@/components/ui/code-block";
import { LinkButton } from "@/components/ui/link-button";
import { PageHeader } from "@/components/ui/page-header";
import { panel } from "@/server/transports/trpc/caller";
import { signedIn } from "../../viewer";
import { agreementGate } from "../gate";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("customers");
  return { title: t("title") };
}

const viewOf = createLoader(customerParsers);

/** For resellers. */
export default async function CustomersPage({ searchParams }: PageProps<"/reseller/customers">) {
  const [t, { viewer }, { api }, view] = await Promise.all([
    getTranslations("customers"),
    signedIn(),
    panel(),
    viewOf(searchParams),
  ]);
  if (viewer !== "reseller") notFound();
  const gate = await agreementGate();
  if (gate)
    return (
      <>
        <PageHeader title={t("title")} description={t("text")} />
        {gate}
      </>
    );
  const input = listInput(view);
  const [data, invitations, { referral }] = await Promise.all([
    api.customers.list({ query: customerQuery(input) }),
    api.customers.listInvitations(),
    api.referral.get(),
  ]);
  return (
    <ClientMessages namespaces={["customers", "team", "factorDuty", "identity", "auth", "savedViews"]}>
      <PageHeader
        title={t("title")}
        description={t("text")}
        actions={
          <>
            <LinkButton icon={<FileUp />} href={"/reseller/customers/import" as Route}>
              {t("import")}
            </LinkButton>
            <TeamDutyButton />
            <InviteCustomer />
          </>
        }
      />
      <div className="flex flex-col gap-6">
        <CustomersTable first={{ input, data }} />
        <InvitationsCard initial={invitations} />
        {referral.link ? <CodeBlock title={t("link")} code={referral.link} /> : null}
      </div>
    </ClientMessages>
  );
}
