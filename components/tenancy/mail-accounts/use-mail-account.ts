import type * as z from "zod";
import { api } from "@/components/api/client";
import type { MailAccountFound, MailAccountInput } from "@/server/domains/tenancy/mail-accounts/contract";

type Body = z.input<typeof MailAccountInput>;

/** The mail account of the viewer or, with `siteId`, of a site, and its actions. */
export function useMailAccount(siteId: number | undefined, initialData: MailAccountFound) {
  const utils = api.useUtils();
  const params = { id: String(siteId) };
  const own = api.mailAccounts.get.useQuery(undefined, { initialData, enabled: siteId === undefined });
  const site = api.mailAccounts.getOfSite.useQuery(
    { params },
    { initialData, enabled: siteId !== undefined },
  );
  const putOwn = api.mailAccounts.save.useMutation();
  const putSite = api.mailAccounts.saveOfSite.useMutation();
  const testOwn = api.mailAccounts.test.useMutation();
  const testSite = api.mailAccounts.testOfSite.useMutation();
  const removeOwn = api.mailAccounts.remove.useMutation();
  const removeSite = api.mailAccounts.removeOfSite.useMutation();
  const ofSite = siteId !== undefined;
  const { mail_account: account, failures } = (ofSite ? site : own).data;
  return {
    account,
    failures,
    save: (body: Body) => (ofSite ? putSite.mutateAsync({ params, body }) : putOwn.mutateAsync({ body })),
    test: () => (ofSite ? testSite.mutateAsync({ params }) : testOwn.mutateAsync()),
    remove: () => (ofSite ? removeSite.mutateAsync({ params }) : removeOwn.mutateAsync()),
    refresh: () =>
      ofSite ? utils.mailAccounts.getOfSite.invalidate({ params }) : utils.mailAccounts.get.invalidate(),
  };
}
