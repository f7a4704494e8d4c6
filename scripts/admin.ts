import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { dayOf } from "@/server/core/calendar";
import { env } from "@/server/core/env";
import { LOCALES } from "@/server/core/locale";
import { OperatorError, pathError } from "@/server/core/operator-error";
import { email } from "@/server/core/schema";
import "@/server/domains";
import { ensurePlans } from "@/server/domains/billing/subscriptions/service/plans";
import { appointFromConsole } from "@/server/domains/tenancy/administration/service/appoint";
import {
  grantPlan,
  makeReseller,
  removeFactors,
} from "@/server/domains/tenancy/administration/service/console";
import { publishAgreement } from "@/server/domains/tenancy/legal-texts/service/publish-text";
import { closeDatabase, connectTo } from "@/server/infrastructure/database/client";
import { migrate } from "@/server/infrastructure/database/migrate";
import { withoutTransaction } from "@/server/infrastructure/database/transaction";
import { migrateJobs } from "@/server/infrastructure/jobs/worker";
import { checkSecret } from "@/server/infrastructure/secrets/fingerprint";
import { perform } from "./lib/command";
import { readArguments, refuse } from "./lib/usage.mjs";
import { requireCluster, withDatabase } from "./lib/with-embedded";

/*
 * npm run admin -- <mail>              makes an administrator and prints a link that sets the password
 * npm run admin -- reseller <mail>     makes an account a reseller; the agreement is signed on paper
 * npm run admin -- plan <mail> <plan>  gives an account a plan for one period
 * npm run admin -- factors <mail>      removes the lost second factors of an account
 * npm run admin -- agreement <version> <folder> [days]
 *                                      publishes tr.txt, en.txt, … in the folder as the reseller agreement; older
 *                                      signatures stay valid for [days], or as the platform settings say
 *
 * Run it on the machine of the server, with its settings.
 */
const command = commandOf(readArguments(import.meta.url).positionals);

const say = (text: string) => process.stdout.write(`${text}\n`);

async function administrator(address: string): Promise<void> {
  const { link, hours, mailed } = await appointFromConsole({ email: address });
  say(`${address} is an administrator. To set the password, open this within ${hours} hours:\n${link}`);
  if (mailed) say("The link was mailed, too.");
}

async function reseller(address: string): Promise<void> {
  const { code } = await makeReseller(address);
  say(`${address} is a reseller, with the referral code ${code}.`);
}

async function factors(address: string): Promise<void> {
  const removed = await removeFactors(address);
  say(
    removed.length === 0
      ? `${address} has no second factor.`
      : `${address} signs in without ${removed.join(", ")} now; the owner was mailed, and signed out everywhere.`,
  );
}

async function plan(address: string, slug: string): Promise<void> {
  const { plan: name, slots, endsAt } = await grantPlan(address, slug);
  const places = slots === 1 ? "1 site" : `${slots} sites`;
  say(`${address} has the plan ${name}: ${places}, until ${dayOf(endsAt)}.`);
}

async function agreement(version: string, folder: string, days?: number): Promise<void> {
  const bodies: Record<string, string> = {};
  for (const locale of LOCALES) {
    const file = join(folder, `${locale}.txt`);
    // The Turkish text is required: it replaces missing translations.
    if (locale === "tr" || existsSync(file)) bodies[locale] = textOf(file);
  }
  const { requiredFrom } = await publishAgreement({ version, bodies, days });
  say(`Version ${version} is published, in ${Object.keys(bodies).join(", ")}; others read it in Turkish.`);
  say(`Older signatures count until ${dayOf(requiredFrom)}.`);
}

function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw pathError(error, file, "read");
  }
}

type Command = () => Promise<void>;

/** Returns the command for the arguments, or exits with the usage. */
function commandOf(words: string[]): Command {
  const [first = "", ...rest] = words;
  const isAddress = (word: string | undefined): word is string => email.safeParse(word).success;
  const [address, slug, days] = rest;
  if (isAddress(first) && rest.length === 0) return () => administrator(first);
  if (first === "reseller" && isAddress(address) && rest.length === 1) return () => reseller(address);
  if (first === "factors" && isAddress(address) && rest.length === 1) return () => factors(address);
  if (first === "plan" && isAddress(address) && slug && rest.length === 2) return () => plan(address, slug);
  if (first === "agreement" && address && slug && (days === undefined || /^\d{1,3}$/.test(days)))
    return () => agreement(address, slug, days === undefined ? undefined : Number(days));
  return refuse(import.meta.url, `${words.join(" ")}: this is none of the commands.`);
}

async function onDatabase(url: string): Promise<void> {
  await migrate(url);
  connectTo(url);
  try {
    // The server cannot send a mail that was encrypted under another secret.
    await checkSecret();
    await migrateJobs();
    await ensurePlans(withoutTransaction());
    await command();
  } finally {
    await closeDatabase();
  }
}

await perform(async () => {
  if (env().SEED === "demo")
    throw new OperatorError(
      "Demo mode has its accounts, an administrator among them; this is for APP_MODE=production.",
    );
  // A missing embedded database means a wrong folder. A configured database may be prepared before the first start.
  requireCluster();
  await withDatabase(onDatabase);
});
