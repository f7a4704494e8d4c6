import { AskCertificate } from "@/components/settings/account-deletion/ask-certificate";
import { Certificate } from "@/components/settings/account-deletion/certificate";
import { env } from "@/server/core/env";
import { isAppError } from "@/server/core/errors";
import { panel } from "@/server/transports/trpc/caller";
import { pageTitle } from "../../../page-title";
import { AuthFrame, firstValue } from "../../frame";

export const generateMetadata = pageTitle("deletion.certificate.title", {
  referrer: "no-referrer",
  robots: { index: false },
});

/** `?code=` opens the certificate; without it the page asks for it. */
export default async function CertificatePage({ params, searchParams }: PageProps<"/certificates/[id]">) {
  const [{ id }, { code }] = await Promise.all([params, searchParams]);
  const secret = firstValue(code);
  const certificate = secret ? await find(id, secret) : undefined;
  return (
    <AuthFrame namespaces={["deletion"]} wide={Boolean(certificate)}>
      {certificate && secret ? (
        <Certificate certificate={certificate} code={secret} site={env().APP_URL} />
      ) : (
        <AskCertificate wrong={Boolean(secret)} />
      )}
    </AuthFrame>
  );
}

async function find(id: string, code: string) {
  const { api } = await panel();
  try {
    return (await api.accountDeletion.getCertificate({ params: { id }, query: { code } })).certificate;
  } catch (error) {
    const cause = (error as Error).cause;
    if (isAppError(cause) && cause.status < 500) return undefined;
    throw error;
  }
}
