"use client";

import { ErrorState } from "@/components/ui/error-state";

/** Error page in the panel; menu and top bar stay usable. */
export default function PanelError({
  error,
  reset,
}: {
  error: Error & { digest?: string };
  reset: () => void;
}) {
  return <ErrorState heading="h1" requestId={error.digest} onRetry={reset} />;
}
