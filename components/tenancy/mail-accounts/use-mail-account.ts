import type * as z from "zod";
import { api, call } from "@/components/api/client";
import type { MailAccountInput, MailAccountResponse } from "@/server/domains/tenancy/mail-accounts/contract";

type MailAccountBody = z.input<typeof MailAccountInput>;

export function useMailAccount(siteId: number | undefined, initialData: MailAccountResponse) {
  const utils = api.useUtils();
  const params = { id: String(siteId) };
  const ownQuery = api.mailAccounts.get.useQuery(undefined, { initialData, enabled: siteId === undefined });
  const siteQuery = api.mailAccounts.getOfSite.useQuery(
    { params },
    { initialData, enabled: siteId !== undefined },
  );
  const isSite = siteId !== undefined;
  const { mail_account: account, failures } = (isSite ? siteQuery : ownQuery).data;
  return {
    account,
    failures,
    save: (body: MailAccountBody) =>
      isSite
        ? call.mailAccounts.saveOfSite.mutate({ params, body })
        : call.mailAccounts.save.mutate({ body }),
    test: () => (isSite ? call.mailAccounts.testOfSite.mutate({ params }) : call.mailAccounts.test.mutate()),
    remove: () =>
      isSite ? call.mailAccounts.removeOfSite.mutate({ params }) : call.mailAccounts.remove.mutate(),
    refresh: () =>
      isSite ? utils.mailAccounts.getOfSite.invalidate({ params }) : utils.mailAccounts.get.invalidate(),
  };
}
