import type * as z from "zod";
import { api } from "@/components/api/client";
import type { MailAccount, MailAccountInput } from "@/server/domains/tenancy/mail-accounts/contract";

type Body = z.input<typeof MailAccountInput>;

/** The mail account of the viewer or, with `siteId`, of a site, and its actions. */
export function useMailAccount(siteId: number | undefined, initial: MailAccount | null) {
  const utils = api.useUtils();
  const params = { id: String(siteId) };
  const initialData = { success: true as const, mail_account: initial };
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
  return {
    account: (ofSite ? site : own).data.mail_account,
    save: (body: Body) => (ofSite ? putSite.mutateAsync({ params, body }) : putOwn.mutateAsync({ body })),
    test: () => (ofSite ? testSite.mutateAsync({ params }) : testOwn.mutateAsync()),
    remove: () => (ofSite ? removeSite.mutateAsync({ params }) : removeOwn.mutateAsync()),
    refresh: () =>
      ofSite ? utils.mailAccounts.getOfSite.invalidate({ params }) : utils.mailAccounts.get.invalidate(),
  };
}
