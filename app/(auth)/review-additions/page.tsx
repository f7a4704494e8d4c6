import { ReviewAdditions } from "@/components/access/sign-in/review-additions";
import { findReviewedMembers } from "@/server/domains/access/sign-in/service/addition-review";
import { metadataWithTitle } from "../../page-title";
import { AuthFrame, firstValue } from "../frame";

export const generateMetadata = metadataWithTitle("additions.review.title", { referrer: "no-referrer" });

export default async function ReviewAdditionsPage({ searchParams }: PageProps<"/review-additions">) {
  const token = firstValue((await searchParams).token);
  return (
    <AuthFrame namespaces={["additions"]}>
      <ReviewAdditions token={token} members={token ? await findReviewedMembers(token) : undefined} />
    </AuthFrame>
  );
}
