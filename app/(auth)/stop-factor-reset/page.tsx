import { StopFactorReset } from "@/components/tenancy/factor-resets/stop-factor-reset";
import { metadataWithTitle } from "../../page-title";
import { AuthFrame, firstValue } from "../frame";

export const generateMetadata = metadataWithTitle("auth.stopReset.title", { referrer: "no-referrer" });

/** `?token=` is from a mailed link. Opening the page does not stop the reset. */
export default async function StopFactorResetPage({ searchParams }: PageProps<"/stop-factor-reset">) {
  const { token } = await searchParams;
  return (
    <AuthFrame>
      <StopFactorReset token={firstValue(token)} />
    </AuthFrame>
  );
}
