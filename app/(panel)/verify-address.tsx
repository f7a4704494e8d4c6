import { VerifyInPlace } from "@/components/access/verification/verify-in-place";
import { ClientMessages } from "@/components/shell/client-messages";
import { env } from "@/server/core/env";

/** The form that verifies the address of the signed-in account, with its texts. */
export function VerifyAddress({ email }: { email: string }) {
  return (
    <ClientMessages namespaces={["auth"]}>
      <VerifyInPlace email={email} demo={!env().production} />
    </ClientMessages>
  );
}
