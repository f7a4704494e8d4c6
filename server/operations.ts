import { type Handler, handle } from "@/server/core/contract";
import { isProduction } from "./core/env";
import { accountOperations } from "./domains/account/operations";
import { accountDeletionOperations } from "./domains/account-deletion/operations";
import { avatarOperations } from "./domains/avatar/operations";
import { consentOperations } from "./domains/consents/operations";
import { dataExportOperations } from "./domains/data-export/operations";
import { healthOperations } from "./domains/health/operations";
import { identityOperations } from "./domains/identities/operations";
import { localeOperations } from "./domains/locales/operations";
import { mailAccountOperations } from "./domains/mail-accounts/operations";
import { mailboxOperations } from "./domains/mailbox/operations";
import { menuLabelOperations } from "./domains/menu-labels/operations";
import { passkeyOperations } from "./domains/passkeys/operations";
import { phoneOperations } from "./domains/phone/operations";
import { portalOperations } from "./domains/portals/operations";
import { profileOperations } from "./domains/profile/operations";
import { registrationOperations } from "./domains/registration/operations";
import { signInOperations } from "./domains/sign-in/operations";
import { siteOperations } from "./domains/sites/operations";
import { subscriptionOperations } from "./domains/subscriptions/operations";
import { teamOperations } from "./domains/team/operations";
import { tokenOperations } from "./domains/tokens/operations";
import { twoFactorOperations } from "./domains/two-factor/operations";
import { verificationOperations } from "./domains/verification/operations";
import { documentOf, getOpenApi } from "./transports/rest/openapi";

/** Every capability by domain: REST's table and the panel's tRPC router are both made from this. */
export const domains = {
  registration: registrationOperations,
  verification: verificationOperations,
  signIn: signInOperations,
  twoFactor: twoFactorOperations,
  identities: identityOperations,
  passkeys: passkeyOperations,
  consents: consentOperations,
  tokens: tokenOperations,
  profile: profileOperations,
  avatar: avatarOperations,
  account: accountOperations,
  phone: phoneOperations,
  accountDeletion: accountDeletionOperations,
  menuLabels: menuLabelOperations,
  portals: portalOperations,
  locales: localeOperations,
  sites: siteOperations,
  team: teamOperations,
  mailAccounts: mailAccountOperations,
  dataExport: dataExportOperations,
  subscriptions: subscriptionOperations,
  health: healthOperations,
  /** Sent mails can be read without a mail server; in production there is no such door. */
  mailbox: mailboxOperations,
};

const served = Object.entries(domains).filter(([name]) => name !== "mailbox" || !isProduction());
const documented = served.flatMap(([, operations]) => Object.values(operations)) as Handler[];

/** What REST serves: all of the above, and the description of it. */
export const handlers: Handler[] = [
  ...documented,
  handle(getOpenApi, async () => documentOf(documented)) as Handler,
];
