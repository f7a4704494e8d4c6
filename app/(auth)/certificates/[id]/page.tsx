import { getTranslations } from "next-intl/server";
import { AskCertificate } from "@/components/settings/account-deletion/ask-certificate";
import { Certificate } from "@/components/settings/account-deletion/certificate";
import { QrCode } from "@/components/ui/qr-code";
import { env } from "@/server/core/env";
import { isAppError } from "@/server/core/errors";
import { getPanelCaller } from "@/server/transports/trpc/caller";
import { metadataWithTitle } from "../../../page-title";
import { AuthFrame, firstValue } from "../../frame";

export const generateMetadata = metadataWithTitle("deletion.certificate.title", {
  referrer: "no-referrer",
  robots: { index: false },
});

/** `?code=` opens the certificate. Without it, the page shows a form for the code. */
export default async function CertificatePage({ params, searchParams }: PageProps<"/certificates/[id]">) {
  const [{ id }, { code }] = await Promise.all([params, searchParams]);
  const secret = firstValue(code);
  const certificate = secret ? await findCertificate(id, secret) : undefined;
  if (!certificate || !secret)
    return (
      <AuthFrame namespaces={["deletion"]}>
        <AskCertificate hasWrongCode={Boolean(secret)} />
      </AuthFrame>
    );
  const t = await getTranslations("deletion.certificate");
  const siteUrl = env().APP_URL;
  const link = `${siteUrl}/certificates/${id}?code=${encodeURIComponent(secret)}`;
  return (
    <AuthFrame namespaces={["deletion"]} wide>
      <Certificate
        certificate={certificate}
        code={secret}
        siteUrl={siteUrl}
        qrCode={<QrCode text={link} label={t("qr")} />}
      />
    </AuthFrame>
  );
}

async function findCertificate(id: string, code: string) {
  const { api } = await getPanelCaller();
  try {
    return (await api.accountDeletion.getCertificate({ params: { id }, query: { code } })).certificate;
  } catch (error) {
    const cause = (error as Error).cause;
    if (isAppError(cause) && cause.status < 500) return undefined;
    throw error;
  }
}
