import { getTranslations } from "next-intl/server";
import { ClientMessages } from "@/components/shell/client-messages";
import { TeamPanel } from "@/components/tenancy/team/team-panel";
import { LinkButton } from "@/components/ui/link-button";
import { getPanelCaller } from "@/server/transports/trpc/caller";
import { metadataWithTitle } from "../../page-title";
import { OwnerOnlyNotice } from "../owner-only";
import { requireSignIn } from "../viewer";

export const generateMetadata = metadataWithTitle("team.title");

export default async function TeamPage() {
  const [t, { user, viewer }, { api }] = await Promise.all([
    getTranslations("team"),
    requireSignIn(),
    getPanelCaller(),
  ]);
  if (viewer === "agent") {
    return (
      <OwnerOnlyNotice
        title={t("forbidden.title")}
        action={<LinkButton href="/dashboard">{t("forbidden.back")}</LinkButton>}
      >
        {t("forbidden.text")}
      </OwnerOnlyNotice>
    );
  }
  const [team, sites] = await Promise.all([api.team.list(), api.sites.list()]);
  // A reseller also lists the sites of customers. Exclude those: customers have their own teams.
  const ownerIds = new Set([user.id, ...team.members.map(({ id }) => id)]);
  const assignable = {
    sites: sites.data
      .filter((site) => ownerIds.has(site.user_id))
      .map(({ id, name, domain }) => ({ id, name, domain })),
    canAddSubUsers: user.parent_user_id === null,
  };
  return (
    <ClientMessages namespaces={["team"]}>
      <TeamPanel initialTeam={team} assignable={assignable} />
    </ClientMessages>
  );
}
