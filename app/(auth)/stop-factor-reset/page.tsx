import { StopLink } from "@/components/tenancy/factor-resets/stop-link";
import { pageTitle } from "../../page-title";
import { AuthFrame, firstValue } from "../frame";

export const generateMetadata = pageTitle("auth.stopReset.title", { referrer: "no-referrer" });

/** `?token=` is from a mailed link. Opening the page stops nothing. */
export default async function StopFactorResetPage({ searchParams }: PageProps<"/stop-factor-reset">) {
  const { token } = await searchParams;
  return (
    <AuthFrame>
      <StopLink token={firstValue(token)} />
    </AuthFrame>
  );
}
