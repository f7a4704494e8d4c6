import type { FakeIdentityProvider } from "@/server/testing/identity-provider";
import type { FakeSmtpServer } from "@/server/testing/smtp";
import type { ServerProcess } from "../server-process";
import { Client, type Mode } from "./client";
import { deletion } from "./deletion";
import { errors } from "./errors";
import { keys, tokenLimits } from "./keys";
import { limits, productionLimits } from "./limits";
import { locales } from "./locales";
import { menuLabels } from "./menu-labels";
import { passkeys } from "./passkeys";
import { profile } from "./profile";
import { notConfigured, providerSites, providers } from "./providers";
import { registration } from "./registration";
import { passwordReset } from "./reset";
import { secondFactor, wrongCodes } from "./second-factor";
import { signIn } from "./sign-in";
import { sites } from "./sites";
import { World } from "./world";

interface Peers {
  server: ServerProcess;
  mail: FakeSmtpServer;
  provider: FakeIdentityProvider;
  bare?: ServerProcess;
}

/**
 * Runs the whole contract once, from one address. Steps that exhaust limits run last, followed by those for
 * production only.
 */
export async function runContract(mode: Mode, { server, mail, provider, bare }: Peers): Promise<Client> {
  const client = new Client(mode, server.url);
  const world = new World(client, server, mail, provider);
  const areas = [
    registration,
    signIn,
    passwordReset,
    secondFactor,
    passkeys,
    providers,
    providerSites,
    profile,
    menuLabels,
    locales,
    sites,
    keys,
    deletion,
    errors,
    wrongCodes,
    tokenLimits,
    limits,
  ];
  for (const area of areas) await client.group(area.name, () => area(client, world));
  if (mode === "production") await client.group("strict limits", () => productionLimits(client, world));
  if (bare) await client.group("not configured", () => notConfigured(client, bare.url));
  return client;
}
