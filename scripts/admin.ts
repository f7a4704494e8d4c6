import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { toTurkishDay } from "@/server/core/calendar";
import { env } from "@/server/core/env";
import { LOCALES } from "@/server/core/locale";
import { OperatorError, toOperatorError } from "@/server/core/operator-error";
import { email } from "@/server/core/schema";
import "@/server/domains";
import { ensureDefaultPlans } from "@/server/domains/billing/subscriptions/service/plans";
import { appointAdministratorFromConsole } from "@/server/domains/tenancy/administration/service/appoint";
import {
  appointReseller,
  grantPlan,
  removeSecondFactors,
} from "@/server/domains/tenancy/administration/service/console";
import { publishAgreement } from "@/server/domains/tenancy/legal-texts/service/publish-text";
import { closeDatabase, openDatabase } from "@/server/infrastructure/database/client";
import { migrateDatabase } from "@/server/infrastructure/database/migrate";
import { withoutTransaction } from "@/server/infrastructure/database/transaction";
import { migrateJobQueue } from "@/server/infrastructure/jobs/worker";
import { checkAppSecret } from "@/server/infrastructure/secrets/fingerprint";
import { runCommand } from "./lib/command";
import { requireDatabase, withDatabase } from "./lib/installation";
import { readArguments, refuse } from "./lib/usage.mjs";

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
const command = parseCommand(readArguments(import.meta.url).positionals);

const printLine = (text: string) => process.stdout.write(`${text}\n`);

async function appointAdministrator(address: string): Promise<void> {
  const { link, linkLifetimeHours, isMailed } = await appointAdministratorFromConsole({ email: address });
  printLine(
    `${address} is an administrator. To set the password, open this within ${linkLifetimeHours} hours:\n${link}`,
  );
  if (isMailed) printLine("The link was mailed, too.");
}

async function appointResellerAccount(address: string): Promise<void> {
  const { referralCode } = await appointReseller(address);
  printLine(`${address} is a reseller, with the referral code ${referralCode}.`);
}

async function removeFactors(address: string): Promise<void> {
  const removedFactors = await removeSecondFactors(address);
  printLine(
    removedFactors.length === 0
      ? `${address} has no second factor.`
      : `${address} signs in without ${removedFactors.join(", ")} now; the owner was mailed, and signed out everywhere.`,
  );
}

async function givePlan(address: string, slug: string): Promise<void> {
  const { plan: name, slots, endsAt } = await grantPlan(address, slug);
  const siteCountText = slots === 1 ? "1 site" : `${slots} sites`;
  printLine(`${address} has the plan ${name}: ${siteCountText}, until ${toTurkishDay(endsAt)}.`);
}

async function publishAgreementTexts(version: string, folder: string, days?: number): Promise<void> {
  const bodies: Record<string, string> = {};
  for (const locale of LOCALES) {
    const file = join(folder, `${locale}.txt`);
    // The Turkish text is required: it replaces missing translations.
    if (locale === "tr" || existsSync(file)) bodies[locale] = readText(file);
  }
  const { requiredFrom } = await publishAgreement({ version, bodies, days });
  printLine(
    `Version ${version} is published, in ${Object.keys(bodies).join(", ")}; others read it in Turkish.`,
  );
  printLine(`Older signatures count until ${toTurkishDay(requiredFrom)}.`);
}

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw toOperatorError(error, file, "read");
  }
}

type Command = () => Promise<void>;

function parseCommand(args: string[]): Command {
  const [firstWord = "", ...otherWords] = args;
  const isAddress = (word: string | undefined): word is string => email.safeParse(word).success;
  const [firstArgument, secondArgument, days] = otherWords;
  if (isAddress(firstWord) && otherWords.length === 0) return () => appointAdministrator(firstWord);
  if (firstWord === "reseller" && isAddress(firstArgument) && otherWords.length === 1)
    return () => appointResellerAccount(firstArgument);
  if (firstWord === "factors" && isAddress(firstArgument) && otherWords.length === 1)
    return () => removeFactors(firstArgument);
  if (firstWord === "plan" && isAddress(firstArgument) && secondArgument && otherWords.length === 2)
    return () => givePlan(firstArgument, secondArgument);
  if (
    firstWord === "agreement" &&
    firstArgument &&
    secondArgument &&
    (days === undefined || /^\d{1,3}$/.test(days))
  )
    return () =>
      publishAgreementTexts(firstArgument, secondArgument, days === undefined ? undefined : Number(days));
  return refuse(import.meta.url, `${args.join(" ")}: this is none of the commands.`);
}

async function runOnDatabase(url: string): Promise<void> {
  await migrateDatabase(url);
  openDatabase(url);
  try {
    // The server cannot send a mail that was encrypted under another secret.
    await checkAppSecret();
    await migrateJobQueue();
    await ensureDefaultPlans(withoutTransaction());
    await command();
  } finally {
    await closeDatabase();
  }
}

await runCommand(async () => {
  if (env().SEED === "demo")
    throw new OperatorError(
      "Demo mode has its accounts, an administrator among them; this is for APP_MODE=production.",
    );
  // Without an embedded database, the folder is wrong. A configured one may be empty before the first start.
  requireDatabase();
  await withDatabase(runOnDatabase);
});
