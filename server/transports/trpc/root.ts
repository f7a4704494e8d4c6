import { isProduction } from "@/server/core/env";
import { domains } from "@/server/operations";
import { t } from "./init";
import { procedures } from "./procedure";

/** The panel's router: one branch for each domain, one procedure for each operation. */
export const appRouter = t.router({
  registration: procedures(domains.registration),
  verification: procedures(domains.verification),
  signIn: procedures(domains.signIn),
  twoFactor: procedures(domains.twoFactor),
  identities: procedures(domains.identities),
  passkeys: procedures(domains.passkeys),
  consents: procedures(domains.consents),
  tokens: procedures(domains.tokens),
  profile: procedures(domains.profile),
  avatar: procedures(domains.avatar),
  account: procedures(domains.account),
  phone: procedures(domains.phone),
  accountDeletion: procedures(domains.accountDeletion),
  menuLabels: procedures(domains.menuLabels),
  portals: procedures(domains.portals),
  locales: procedures(domains.locales),
  sites: procedures(domains.sites),
  team: procedures(domains.team),
  mailAccounts: procedures(domains.mailAccounts),
  dataExport: procedures(domains.dataExport),
  subscriptions: procedures(domains.subscriptions),
  health: procedures(domains.health),
  mailbox: procedures(isProduction() ? ({} as typeof domains.mailbox) : domains.mailbox),
});

export type AppRouter = typeof appRouter;
export const createCaller = t.createCallerFactory(appRouter);
