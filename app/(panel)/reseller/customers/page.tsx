import { FileUp } from "lucide-react";
import type { Route } from "next";
import { getTranslations } from "next-intl/server";
import { TeamRequirementButton } from "@/components/access/two-factor/team-requirement-button";
import { PageCharts } from "@/components/charts/page-charts";
import { readSeriesView } from "@/components/charts/series-view";
import { CustomersChart } from "@/components/tenancy/customers/customers-chart";
import { CustomersTable } from "@/components/tenancy/customers/customers-table";
import {
  CustomerInvitationsCard,
  OpenInvitationsLink,
} from "@/components/tenancy/customers/invitations-card";
import { InviteCustomer } from "@/components/tenancy/customers/invite-customer";
import { customerListParsers, toCustomerQuery } from "@/components/tenancy/customers/list-view";
import { CodeBlock } from "@/components/ui/code-block";
import { LinkButton } from "@/components/ui/link-button";
import { PageHeader } from "@/components/ui/page-header";
import { CUSTOMER_PERIODS } from "@/server/domains/tenancy/customers/contract";
import { metadataWithTitle } from "../../../page-title";
import { createListPage } from "../../list-page";
import { renderAgreementGate } from "../agreement-gate";

export const generateMetadata = metadataWithTitle("customers.title");

export default createListPage({
  requiredViewer: "reseller",
  parsers: customerListParsers,
  messages: ["customers", "team", "factorDuty", "identity", "auth", "savedViews"],
  renderContent: async ({ api, input, searchParams }) => {
    const t = await getTranslations("customers");
    const gate = await renderAgreementGate();
    if (gate)
      return (
        <>
          <PageHeader title={t("title")} description={t("text")} />
          {gate}
        </>
      );
    const seriesView = await readSeriesView(searchParams, CUSTOMER_PERIODS);
    const [data, invitations, { referral }, { data: series }] = await Promise.all([
      api.customers.list({ query: toCustomerQuery(input) }),
      api.customers.listInvitations(),
      api.referral.get(),
      api.customers.series({ query: seriesView.query }),
    ]);
    return (
      <>
        <PageHeader
          title={t("title")}
          description={t("text")}
          actions={
            <>
              <LinkButton icon={<FileUp />} href={"/reseller/customers/import" as Route}>
                {t("import")}
              </LinkButton>
              <TeamRequirementButton />
              <InviteCustomer />
            </>
          }
        />
        <div className="flex flex-col gap-6">
          <OpenInvitationsLink initialInvitations={invitations} />
          <PageCharts
            path="/reseller/customers"
            searchParams={searchParams}
            view={seriesView}
            periods={CUSTOMER_PERIODS}
            series={[series]}
            hasMargin={false}
          >
            <CustomersChart series={series} />
          </PageCharts>
          <CustomersTable firstPage={{ input, data }} />
          <CustomerInvitationsCard initialInvitations={invitations} />
          {referral.link ? <CodeBlock title={t("link")} code={referral.link} /> : null}
        </div>
      </>
    );
  },
});
