import type { FakeIdentityProvider } from "@/server/testing/identity-provider";
import type { FakeSmtpServer } from "@/server/testing/smtp";
import type { ServerProcess } from "../server-process";
import { Client, type Mode } from "./client";
import { checkDeletion } from "./deletion";
import { checkErrors } from "./errors";
import { checkKeys, checkTokenLimits } from "./keys";
import { checkLimits, checkProductionLimits } from "./limits";
import { checkLocales } from "./locales";
import { checkMenuLabels } from "./menu-labels";
import { checkPasskeys } from "./passkeys";
import { checkProfile } from "./profile";
import { checkNotConfigured, checkProviderSites, checkProviders } from "./providers";
import { checkRegistration } from "./registration";
import { checkPasswordReset } from "./reset";
import { checkSecondFactor, checkWrongCodes } from "./second-factor";
import { checkSignIn } from "./sign-in";
import { checkSites } from "./sites";
import { World } from "./world";

interface Services {
  server: ServerProcess;
  smtpServer: FakeSmtpServer;
  identityProvider: FakeIdentityProvider;
  serverWithoutProviders?: ServerProcess;
}

/** Uses one address. Steps that exhaust limits run last, followed by those for production only. */
export async function runContract(
  mode: Mode,
  { server, smtpServer, identityProvider, serverWithoutProviders }: Services,
): Promise<Client> {
  const client = new Client(mode, server.url);
  const world = new World(client, server, smtpServer, identityProvider);
  const checks = [
    checkRegistration,
    checkSignIn,
    checkPasswordReset,
    checkSecondFactor,
    checkPasskeys,
    checkProviders,
    checkProviderSites,
    checkProfile,
    checkMenuLabels,
    checkLocales,
    checkSites,
    checkKeys,
    checkDeletion,
    checkErrors,
    checkWrongCodes,
    checkTokenLimits,
    checkLimits,
  ];
  for (const runCheck of checks) await client.runGroup(runCheck.name, () => runCheck(client, world));
  if (mode === "production")
    await client.runGroup("strict limits", () => checkProductionLimits(client, world));
  if (serverWithoutProviders)
    await client.runGroup("not configured", () => checkNotConfigured(client, serverWithoutProviders.url));
  return client;
}
