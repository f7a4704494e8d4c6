import { UndoEmailChange } from "@/components/access/verification/undo-email-change";
import { findUndoableChange } from "@/server/domains/access/verification/service/find-undoable-change";
import { metadataWithTitle } from "../../page-title";
import { AuthFrame, firstValue } from "../frame";

export const generateMetadata = metadataWithTitle("auth.emailChange.undo.title", { referrer: "no-referrer" });

export default async function UndoEmailChangePage({ searchParams }: PageProps<"/undo-email-change">) {
  const token = firstValue((await searchParams).token);
  return (
    <AuthFrame>
      <UndoEmailChange token={token} change={token ? await findUndoableChange(token) : undefined} />
    </AuthFrame>
  );
}
