import type { TestServer } from "./server";

export interface TestMail {
  template: string;
  subject: string;
  text: string;
  html: string;
}

/** Runs pending jobs and returns the mails to an address, newest first. */
export async function deliverAndReadMails(
  { get, runJobs }: Pick<TestServer, "get" | "runJobs">,
  address: string,
  template?: string,
): Promise<TestMail[]> {
  await runJobs();
  const { json } = await get(`/api/dev/mailbox?to=${encodeURIComponent(address)}`);
  return (json.data as TestMail[]).filter((mail) => !template || mail.template === template);
}

export function getLinkParam({ text }: TestMail, name: string): string {
  const link = /https?:\/\/\S+/.exec(text)?.[0];
  const value = link && new URL(link).searchParams.get(name);
  if (!value) throw new Error(`No ${name} in the link of: ${text}`);
  return value;
}

export function extractCode({ text }: TestMail): string {
  const code = /\b\d{6}\b/.exec(text)?.[0];
  if (!code) throw new Error(`No code in: ${text}`);
  return code;
}
